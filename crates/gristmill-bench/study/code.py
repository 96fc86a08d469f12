#!/usr/bin/env python3
"""Judges how chunks of source code keep functions whole, and shares no code with gristmill.

    code.py ROOT CHUNKS.jsonl --max N [-v]

CHUNKS are gristmill's records of the files below ROOT: `cd ROOT; gristmill chunk . --strategy code --max N --overlap 0`. Functions are found twice:

  by grammar      with Python's own `ast`, and for other languages with the tree-sitter grammars from PyPI: functions,
                  methods and constructors with a body, one in another too, with the decorators, attributes and comment lines
                  right above them, whatever is exported or assigned with them, and the rest of their last line
  by indentation  with no grammar at all: a line that looks like the head of a function, up to the next line of the same
                  indentation that begins with `}` or `end`; what starts with a mark of comments or decorators right above
                  belongs to it

A function fits when its text alone has no more than N tokens; it is whole when one chunk's own text holds all of it. Checked
besides: positions in characters and bytes, lines, that every visible character is in exactly one chunk, and that no chunk has more
than N tokens or another number than it states. Needs bpe-openai, tree-sitter and tree-sitter-LANGUAGE for each language.
"""
import argparse
import ast
import importlib
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

LANGUAGES = {
    "sh": "bash", "bash": "bash", "c": "c", "h": "c", "go": "go", "java": "java", "js": "javascript", "kt": "kotlin", "lua": "lua",
    "php": "php", "py": "python", "rb": "ruby", "rs": "rust", "swift": "swift", "ts": "typescript",
}
FUNCTIONS = {
    "bash": {"function_definition"},
    "c": {"function_definition"},
    "go": {"function_declaration", "method_declaration"},
    "java": {"method_declaration", "constructor_declaration"},
    "javascript": {"function_declaration", "generator_function_declaration", "method_definition"},
    "kotlin": {"function_declaration", "secondary_constructor"},
    "lua": {"function_declaration"},
    "php": {"function_definition", "method_declaration"},
    "ruby": {"method", "singleton_method"},
    "rust": {"function_item"},
    "swift": {"function_declaration", "init_declaration", "deinit_declaration"},
}
FUNCTIONS["typescript"] = FUNCTIONS["javascript"]
# Functions without a name count where something gives them one.
NAMELESS = {"arrow_function", "function_expression", "generator_function", "function_definition"}
NAMERS = {
    "variable_declarator", "assignment_expression", "assignment_statement", "pair", "field", "field_definition",
    "public_field_definition", "expression_list",
}
ABOVE = {"attribute_item", "decorator", "annotation", "marker_annotation", "attribute_list"}
# The body of a method in Ruby and of a function in some grammars has no field of that name.
BODIES = ("body", "block", "compound_statement")
HEADS = {
    "bash": r"(?:function\s+[\w:-]+|[\w:-]+\s*\(\))\s*(?:\(\))?\s*\{$",
    "go": r"func\b.*\{$",
    "java": r"(?:(?:public|private|protected|static|final|synchronized|abstract)\s+)+[\w<>\[\], ?.]*\w\s*\(.*\{$",
    "javascript": r"(?:export\s+)?(?:default\s+)?(?:async\s+)?function\b.*\{$",
    "kotlin": r"(?:(?:public|private|protected|internal|override|suspend|inline)\s+)*fun\b.*\{$",
    "lua": r"(?:local\s+)?function\b.*\)$",
    "php": r"(?:(?:public|private|protected|static|final|abstract)\s+)*function\b[^;{]*$",
    "python": r"(?:async\s+)?def\b",
    "ruby": r"def\s[^=]*$",
    "rust": r"(?:pub(?:\([\w:]+\))?\s+)?(?:const\s+|async\s+|unsafe\s+)*fn\b.*\{$",
    "swift": r"(?:(?:@\w+|public|private|internal|open|static|override|final|mutating|required)\s+)*(?:func|init)\b.*\{$",
}
HEADS["typescript"] = HEADS["javascript"]
# In C only what begins at the margin.
HEADS["c"] = r"(?<![ \t])[\w*][\w* ]*\(.*\)\s*\{?$"
MARKS = re.compile(r"\s*(?:#(?!\s*(?:include|if|else|endif|define|pragma|undef|!))|//|/\*|\*|--|@\w)")


class File:
    """A text with its lines, in characters."""

    def __init__(self, path, language):
        self.text = path.read_text(encoding="utf-8").replace("\r\n", "\n")
        self.language = language
        self.lines = self.text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def span(self, first, last):
        """Characters from the first visible one of row `first` to the last of row `last`."""
        start = self.starts[first] + len(self.lines[first]) - len(self.lines[first].lstrip())
        return start, self.starts[last] + len(self.lines[last].rstrip())

    def lifted(self, row, is_above):
        while row > 0 and is_above(row - 1):
            row -= 1
        return row


def of_python(file):
    """Rows of functions, by Python's own parser."""
    def is_comment(row):
        return file.lines[row].lstrip().startswith("#")

    for node in ast.walk(ast.parse(file.text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
            yield file.lifted(first, is_comment), node.end_lineno - 1


def parser_of(language):
    import tree_sitter
    module = importlib.import_module(f"tree_sitter_{language}")
    name = {"php": "language_php", "typescript": "language_typescript"}.get(language, "language")
    return tree_sitter.Parser(tree_sitter.Language(getattr(module, name)()))


def nodes_of(tree):
    stack = [tree.root_node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.children)


def last_row(node):
    """Row of the last visible character: some comments end behind their line end."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row


def rows_above(file, nodes):
    """Rows on which nothing but comments and attributes stands."""
    raw = [line.encode() for line in file.lines]
    rows = set()
    for node in nodes:
        if not (node.type.endswith("comment") or node.type in ABOVE):
            continue
        first, last = node.start_point[0], last_row(node)
        before = raw[first][: node.start_point[1]].strip()
        after = raw[last][node.end_point[1]:].strip() if last == node.end_point[0] else b""
        if not before and not after:
            rows.update(range(first, last + 1))
    return rows


def is_function(node, language):
    has_body = node.child_by_field_name("body") or any(c.type.endswith(BODIES) for c in node.children)
    if node.type in FUNCTIONS[language]:
        return bool(has_body) or language == "ruby"
    return node.type in NAMELESS and node.parent is not None and node.parent.type in NAMERS and bool(has_body)


def whole(node):
    """The node around a function that says nothing but the function: an export, an assignment, its modifiers."""
    while node.parent is not None and node.parent.parent is not None:
        outer = node.parent
        same_start = outer.start_point[0] == node.start_point[0] and outer.end_point[0] == node.end_point[0]
        if not same_start or outer.type.endswith(BODIES):
            break
        node = outer
    return node


def of_grammar(file):
    tree = parser_of(file.language).parse(file.text.encode())
    nodes = list(nodes_of(tree))
    above = rows_above(file, nodes)
    for node in nodes:
        if is_function(node, file.language):
            node = whole(node)
            first = node.start_point[0]
            if file.lines[first].encode()[: node.start_point[1]].strip():
                continue  # in the middle of an expression
            yield file.lifted(first, lambda row: row in above), last_row(node)


def of_indentation(file):
    head = re.compile(r"(\s*)" + HEADS[file.language])
    for row, line in enumerate(file.lines):
        found = head.match(line.rstrip())
        if not found:
            continue
        indent = found[1]
        end = python_end(file, row, indent) if file.language == "python" else brace_end(file, row, indent)
        if end is not None:
            yield file.lifted(row, lambda above: bool(MARKS.match(file.lines[above]))), end


def brace_end(file, row, indent):
    for at in range(row + 1, len(file.lines)):
        line = file.lines[at]
        if line.startswith((indent + "}", indent + "end")):
            return at
        if line.strip() and not line.startswith(indent):
            return None  # a declaration, or text at the margin
    return None


def python_end(file, row, indent):
    last = row
    for at in range(row + 1, len(file.lines)):
        line = file.lines[at]
        if not line.strip():
            continue
        if not line.startswith(indent + " ") and not re.match(re.escape(indent) + r"\)", line):
            break
        last = at
    return last


def check_positions(file, chunks, max_tokens, count, faults):
    """Positions, sizes, and that every visible character is in one chunk."""
    raw, seen = file.text.encode(), 0
    for chunk in chunks:
        own = chunk["metadata"]
        start, end = own["char_start"], own["char_end"]
        body = next(part for part in own["parts"] if part["kind"] == "body")
        text = chunk["content"][body["start"]: body["end"]]
        faults["position in characters"] += file.text[start:end] != text
        faults["position in bytes"] += raw[own["byte_start"]: own["byte_end"]].decode(errors="replace") != text
        lines = file.text.count("\n", 0, start) + 1, file.text.count("\n", 0, end) + 1
        faults["line"] += lines != (own["line_start"], own["line_end"])
        faults["begins inside a line"] += bool(file.text[file.text.rfind("\n", 0, start) + 1: start].strip())
        faults["lost text"] += bool(file.text[seen:start].strip()) or start < seen
        tokens = count(chunk["content"])
        faults["above the limit"] += tokens > max_tokens
        faults["another number of tokens"] += tokens != own["token_count"]
        seen = end
    faults["lost text"] += bool(file.text[seen:].strip())


def judge(name, file, chunks, functions, max_tokens, count, tally, verbose):
    spans = [(c["metadata"]["char_start"], c["metadata"]["char_end"]) for c in chunks]
    for first, last in sorted(set(functions)):
        start, end = file.span(first, last)
        tally[0] += 1
        if count(file.text[start:end]) > max_tokens:
            continue
        tally[1] += 1
        if any(left <= start and end <= right for left, right in spans):
            tally[2] += 1
        elif verbose:
            cuts = [file.text.count("\n", 0, left) + 1 for left, _ in spans if start < left < end]
            print(f"  cut: {name}:{first + 1}-{last + 1} at {cuts}: {file.lines[first].strip()[:60]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("chunks", type=Path)
    parser.add_argument("--max", type=int, required=True)
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    import bpe_openai
    encoding = bpe_openai.get_encoding("o200k_base")

    def count(text):
        return len(encoding.encode_ordinary(text))

    by_source = defaultdict(list)
    for line in args.chunks.open(encoding="utf-8"):
        chunk = json.loads(line)
        by_source[chunk["metadata"]["source"]].append(chunk)
    tallies, faults, files = defaultdict(lambda: [0, 0, 0, 0, 0, 0, 0]), defaultdict(int), 0
    for path in sorted(args.root.rglob("*")):
        language = LANGUAGES.get(path.suffix[1:])
        if language is None or not path.is_file():
            continue
        name, files = str(path.relative_to(args.root)), files + 1
        file, chunks, tally = File(path, language), by_source[name], tallies[language]
        check_positions(file, chunks, args.max, count, faults)
        for at, functions in (0, of_python if language == "python" else of_grammar), (3, of_indentation):
            part = tally[at: at + 3]
            judge(name, file, chunks, functions(file), args.max, count, part, args.verbose)
            tally[at: at + 3] = part
        tally[6] += len(chunks)
    show(tallies, faults, files)
    sys.exit(any(faults.values()))


def share(whole, fit):
    return f"{100 * whole / fit:.2f} %" if fit else "-"


def show(tallies, faults, files):
    print("| language | chunks | functions | fit | whole | share | by indentation | fit | whole | share |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    total = [sum(column) for column in zip(*tallies.values())]
    for language, (a, b, c, d, e, f, chunks) in [*sorted(tallies.items()), (f"all {files} files", total)]:
        print(f"| {language} | {chunks} | {a} | {b} | {c} | {share(c, b)} | {d} | {e} | {f} | {share(f, e)} |")
    print("\nfaults: " + (", ".join(f"{n} × {what}" for what, n in faults.items() if n) or "none"))


if __name__ == "__main__":
    main()
