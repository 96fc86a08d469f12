#!/usr/bin/env python3
"""How many functions of the code corpus are whole in one chunk, with the comments and decorators above them.

Functions are found apart from gristmill: in Python by `ast`, in C by the braces at the margin, elsewhere by the Python wheels of tree-sitter (a virtual
environment with `tree-sitter` and `tree-sitter-LANGUAGE`), and what stands above them by the text of the lines alone.
A function counts when it and what belongs to it is no larger than the limit.

    extract_code.py --bin target/debug/gristmill --corpus ../shared/corpora/code [--max 2400] [--strategy code] [-v]
"""
import argparse
import ast
import importlib
import json
import re
import subprocess
from collections import Counter
from pathlib import Path

MODULES = {"php": ("tree_sitter_php", "language_php"), "typescript": ("tree_sitter_typescript", "language_typescript")}
KINDS = {
    "function_item", "function_definition", "function_declaration", "generator_function_declaration", "method_definition",
    "method_declaration", "constructor_declaration", "method", "singleton_method", "init_declaration",
    "deinit_declaration", "secondary_constructor", "anonymous_function",
}
LEAD = {
    "python": r"#|@", "ruby": r"#", "bash": r"#", "lua": r"--", "rust": r"//|#\[|/\*|\*",
    "php": r"//|#|/\*|\*", "swift": r"//|@|/\*|\*",
}


def by_ast(text):
    """Line ranges (from 0, end not in it) of the functions of a Python file."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno] + [d.lineno for d in node.decorator_list])
            yield first - 1, node.end_lineno


def by_margin(text):
    """The same for C, whose macros the grammar does not know: from a line at the margin with a bracket to the brace there."""
    first = None
    for n, line in enumerate(text.split("\n")):
        if re.match(r"[A-Za-z_][^=;]*\([^;]*$", line) and first is None:
            first = n
        elif first is not None and line.startswith("}"):
            yield first, n + 1
            first = None
        elif first is not None and re.match(r"[};]|[^{(]*;$", line) and not line.startswith(" "):
            first = None


def by_tree(language, text):
    from tree_sitter import Language, Parser

    module, name = MODULES.get(language, (f"tree_sitter_{language}", "language"))
    grammar = Language(getattr(importlib.import_module(module), name)())
    stack = [Parser(grammar).parse(text.encode()).root_node]
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        last = node.child_by_field_name("body") or (node.named_children or [None])[-1]
        has_body = node.child_by_field_name("body") or (last is not None and "body" in last.type)
        if node.is_named and node.type in KINDS and has_body and not node.has_error:
            yield node.start_point[0], node.end_point[0] + (node.end_point[1] > 0)


def with_lead(lines, first, mark):
    """The first line of the run of comments, attributes and decorators right above."""
    while first > 0 and re.match(rf"\s*(?:{mark})", lines[first - 1]):
        first -= 1
    return first


def functions(language, text):
    """Character ranges, without the white space at their ends."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found = {"python": by_ast, "c": by_margin}.get(language, lambda text: by_tree(language, text))(text)
    for first, end in sorted(set(found)):
        if not re.match(r"\s*[\w@~<\[(*\"']", lines[first]):
            continue
        start = starts[with_lead(lines, first, LEAD.get(language, r"//|@|/\*|\*"))]
        body = text[start:starts[end]]
        yield start + len(body) - len(body.lstrip()), min(start + len(body.rstrip()), len(text))


def chunks(args, names):
    command = [args.bin, "chunk", *names, "--format", "jsonl", "--unit", "chars", "--max", str(args.max)]
    command += ["--overlap", "0", "--strategy", args.strategy]
    out = subprocess.run(command, cwd=args.corpus, capture_output=True, text=True, check=False)
    by_source = {name: [] for name in names}
    for line in out.stdout.splitlines():
        record = json.loads(line)
        by_source[record["metadata"]["source"]].append(record)
    return by_source


def score(args):
    index = json.loads((args.corpus / "index.json").read_text())
    files = {entry["file"]: entry["language"] for entry in index}
    made = chunks(args, list(files))
    total, whole, wrong = Counter(), Counter(), 0
    for name, language in files.items():
        text = (args.corpus / name).read_bytes().decode().replace("\r\n", "\n")
        spans = [(r["metadata"]["char_start"], r["metadata"]["char_end"]) for r in made[name]]
        for record, (start, end) in zip(made[name], spans):
            body = "".join(record["content"][p["start"]:p["end"]] for p in record["metadata"]["parts"] if p["kind"] == "body")
            wrong += text[start:end] != body
        for start, end in functions(language, text):
            if end - start > args.max:
                continue
            total[language] += 1
            if any(s <= start and end <= e for s, e in spans):
                whole[language] += 1
            elif args.verbose:
                print(f"cut: {name}:{text.count(chr(10), 0, start) + 1}: {text[start:start + 60]!r}")
    return total, whole, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--corpus", required=True, type=Path)
    parser.add_argument("--max", type=int, default=2400)
    parser.add_argument("--strategy", default="code")
    parser.add_argument("-v", "--verbose", action="store_true")
    total, whole, wrong = score(parser.parse_args())
    for language in sorted(total):
        print(f"{language:12} {whole[language]:5} of {total[language]:5}")
    everything = sum(total.values())
    print(f"whole: {sum(whole.values())} of {everything} = {sum(whole.values()) / everything:.4f}; wrong offsets: {wrong}")


if __name__ == "__main__":
    main()
