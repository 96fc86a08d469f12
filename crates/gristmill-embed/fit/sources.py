"""The text that the built-in table is fitted on: public repositories at fixed commits, all under free licences without conditions on
what is derived (public domain, CC0, CC BY, MIT, Apache, BSD). What of them is share-alike or of unknown licence is left out: files of
Common Voice that came from Wikipedia, photographs, comments.

A source is (repository, commit, licence, attribution, parts); a part is (language, glob of its files, reader, most pieces).
"""

import csv
import fnmatch
import html
import io
import json
import re
import subprocess

CC0 = "CC0 1.0"
BY4 = "CC BY 4.0"

#: Articles of Microsoft's support: language, place, commit.
SUPPORT = [
    ("ar", "ar-SA", "f4bef89d914ffe53f9899893cb8002ec480410bb"),
    ("th", "th-TH", "f840f1ddd3e1c0fda2b5af621cc24b730402c297"),
    ("ja", "ja-JP", "0233fcd9db195fa85ad6a3c82c69c7ac57d883c3"),
    ("zh-Hans", "zh-CN", "18dba735b4e88b1768f2c34e3be2cd34ae97f726"),
    ("zh-Hant", "zh-TW", "fa8df248a1df74e590a1244813b1613313193f07"),
    ("ko", "ko-KR", "1b9dbecf1c39f31949c8461a84d1992ea973a102"),
    ("de", "de-DE", "15303a2006e0acd3f8a9d5f0bcc5a8c009579308"),
]

SOURCES = [
    ("mozilla/voice-web", "e0bfbc4be9eb6a97f7dd92eb938200f09f04ba96", CC0, "Mozilla Common Voice", [
        ("en", "server/data/en/sentence-collector.txt", "lines", 4000),
        ("de", "server/data/de/sentence-collector.txt", "lines", 3500),
        ("fr", "server/data/fr/gutenberg_*.txt", "lines", 1500),
        ("fr", "server/data/fr/assemblee-nationale_*.txt", "lines", 1500),
        ("es", "server/data/es/sentence-collector.txt", "lines", 3000),
        ("ru", "server/data/ru/*.txt", "lines", 600),
        ("ja", "server/data/ja/sentence-collector.txt", "lines", 3000),
        ("ko", "server/data/ko/sentence-collector.txt", "lines", 1300),
        ("zh-Hans", "server/data/zh-CN/cn.txt", "lines", 1500),
        ("zh-Hant", "server/data/zh-TW/sentence-collector.txt", "lines", 2000),
        ("zh-Hant", "server/data/zh-HK/hkgov.txt", "lines", 500),
        ("th", "server/data/th/*.txt", "lines", 300),
        ("ar", "server/data/ar/sentence-collector.txt", "lines", 5000),
    ]),
    ("facebookresearch/LASER", "74bc6ae7ffb7cba670fe0f428d0ede9f666fb821", "CC BY 2.0 FR", "Tatoeba contributors, tatoeba.org", [
        (language, f"data/tatoeba/v1/tatoeba.{code}-eng.{code}", "lines", 1000)
        for language, code in [("ar", "ara"), ("zh-Hans", "cmn"), ("ja", "jpn"), ("ko", "kor"), ("th", "tha"), ("de", "deu"),
                               ("fr", "fra"), ("es", "spa"), ("ru", "rus")]
    ] + [("en", "data/tatoeba/v1/tatoeba.ara-eng.eng", "lines", 1000), ("en", "data/tatoeba/v1/tatoeba.jpn-eng.eng", "lines", 1000)]),
    ("audreyt/transcript", "1524a5d25dd6a05608062d9f86ae3b57f2be79da", CC0, "Audrey Tang and those she spoke with", [
        ("zh-Hant", "20*.md", "talk", 5000),
        ("zh-Hans", "20*.md", "talk simplified", 5000),
        ("en", "20*.md", "talk", 3500),
    ]),
    ("factbook/factbook.json", "8662a8b17a784841ab4528631b04090eb2f183eb", "public domain", "The World Factbook, CIA", [
        ("en", "*-*/*.json", "json", 2500), ("en", "europe/*.json", "json", 500), ("en", "africa/*.json", "json", 1000),
    ]),
    ("reactjs/react.dev", "12d692da47e77cdc558b928fcfbaf4e71c6d0cec",
     BY4, "React documentation, Meta Platforms and contributors", [
        ("en", "src/content/*.md", "markdown", 1500), ("mixed", "src/content/*.md", "source", 800)]),
    ("reactjs/ar.react.dev", "5a263fdf83412db827ed8ef8d816613aba49df85", BY4, "React documentation, Arabic translation", [
        ("ar", "src/content/*.md", "markdown", 2500)]),
    ("reactjs/zh-hans.react.dev", "f6cda05526ceff44b24588e9e0c2e2106d4588d4",
     BY4, "React documentation, Simplified Chinese translation", [
        ("zh-Hans", "src/content/*.md", "markdown", 1500), ("mixed", "src/content/*.md", "source", 400)]),
    ("reactjs/zh-hant.react.dev", "19692fa83681619db5849b5d24b14b67b9650329",
     BY4, "React documentation, Traditional Chinese translation", [
        ("zh-Hant", "src/content/*.md", "markdown", 800)]),
    ("MicrosoftDocs/dynamics-365-project-operations-pr.th-TH", "97a19be9349aaeba0cead2a195fe5568e8a1dab3", BY4, "Microsoft", [
        ("th", "*.md", "markdown", 1500)]),
    ("MicrosoftDocs/dynamics-365-project-operations-pr.ar-SA", "191ca230d107c1933a1ff8c0f2ade8d760cb9125", BY4, "Microsoft", [
        ("ar", "*.md", "markdown", 1500)]),
    ("MicrosoftDocs/windows-uwp.ko-kr", "35c4b41259919a09dba0b1da80066582739ac55b", BY4, "Microsoft", [
        ("ko", "*.md", "markdown", 2000), ("mixed", "*.md", "source", 500)]),
    ("MicrosoftDocs/visualstudio-docs.zh-tw", "83cf8bdbb2218cf44c363f2094b46c5f5257c4d9", BY4, "Microsoft", [
        ("zh-Hant", "docs/*.md", "markdown", 1500), ("mixed", "docs/*.md", "source", 400)]),
    *[(f"isabella232/OfficeDocs-AlchemyInsights-pr.{place}", commit, BY4, "Microsoft", [
        (language, "*.md", "markdown", 2500 if language in ("ar", "th", "de") else 1800)])
      for language, place, commit in SUPPORT],
    ("opentaqafa/opentaqafa.github.io", "b261894027fbd81d5e39b8f71ce335d820ed9402",
     CC0, "Ahmed Mansour, a book on free culture", [
        ("ar", "*.md", "markdown", 800)]),
    ("PyThaiNLP/thaigov-v2-corpus", "ee81431a3e037c88c2077cfacfb468864fa71f4b",
     "public domain", "news of the Government of Thailand", [
        ("th", "data/*.txt", "text", 5000)]),
    ("PyThaiNLP/wisesight-sentiment", "c1d063649abc3a6870b5fd1aae26cd1c64bdde7b", CC0, "Wisesight (Thailand)", [
        ("th", "neu.txt", "lines", 1500), ("th", "q.txt", "lines", 300)]),
    ("e9t/nsmc", "cc0670e872d4ac27bfe36c87456783004b39ef6c", CC0, "Naver sentiment movie corpus, Lucy Park", [
        ("ko", "raw/1*.json", "reviews", 1500)]),
    ("yiunsr/boddari", "9d21b9ef7e70afdd843acb4212ea8250b4c59745", "CC BY 2.5", "Wikinews contributors, Korean", [
        ("ko", "boddari/txt/wikinews.txt", "text", 3500)]),
    ("yiunsr/boddari", "9d21b9ef7e70afdd843acb4212ea8250b4c59745", "CC BY", "National Assembly Library of Korea, book reviews", [
        ("ko", "boddari/txt/book_review01.txt", "text", 4500)]),
    ("yashikota/ict-white-paper", "8af3f21d6241f456538e9fdb961e6225c820d437",
     BY4, "White papers, Ministry of Internal Affairs and Communications of Japan", [
        ("ja", "data/[hr][0-9]*.txt", "text", 5000)]),
    ("LawRefBook/Laws", "2f4c5c23716267af9dbebbbbd6cbbf732b101981", "public domain", "laws of the People's Republic of China", [
        ("zh-Hans", "*法/*.md", "markdown", 1500), ("zh-Hans", "行政法规/*.md", "markdown", 1500)]),
    ("kong0107/mojLawSplitJSON", "0d26e6c7c759821bbb6465162ffe149af5aed203",
     "public domain", "regulations of the Republic of China (Taiwan)", [
        ("zh-Hant", "FalVMingLing/*.json", "json", 1500)]),
    ("moztw/cc0-sentences", "0cd8139d28c7ef15086154d2de4fb8210c8fb16e", CC0, "MozTW", [
        ("zh-Hant", "zh-TW/book.txt", "lines", 500), ("zh-Hant", "zh-TW/gov_press_release.txt", "lines", 500),
        ("zh-Hant", "zh-TW/setences.txt", "lines", 1000), ("zh-Hant", "zh-TW/exam_text.txt", "lines", 500)]),
]

#: More English, taken after the sources above were cut to a number of pieces.
ADDED = [
    ("sophia-jihye/Collecting_FOMC_Minutes", "ea2b8e16b3e004d02b7b6954ce76857c371799b1",
     "public domain", "minutes of the Federal Open Market Committee", [
        ("en", "Minutes/*.txt", "text", 2500)]),
    ("kong0107/mojLawSplitJSON", "0d26e6c7c759821bbb6465162ffe149af5aed203",
     "public domain", "regulations of the Republic of China (Taiwan)", [
        ("en", "Eng_FalVMingLing/*.json", "json", 2500)]),
    ("mozilla/voice-web", "e0bfbc4be9eb6a97f7dd92eb938200f09f04ba96", CC0, "Mozilla Common Voice", [
        ("en", "server/data/en/sentence-collector.txt", "lines", 2500)]),
    ("audreyt/transcript", "1524a5d25dd6a05608062d9f86ae3b57f2be79da", CC0, "Audrey Tang and those she spoke with", [
        ("en", "20*.md", "talk", 2500)]),
]

#: Characters of a piece, about: pieces of texts are joined from sentences up to this.
LENGTH = {"ja": 130, "zh-Hans": 120, "zh-Hant": 120, "ko": 150, "mixed": 260}
SHORTEST = {"ja": 8, "zh-Hans": 6, "zh-Hant": 6, "ko": 10}
SCRIPT = {
    "en": "A-Za-z", "de": "A-Za-zÄÖÜäöüß", "fr": "A-Za-zÀ-ÿœ", "es": "A-Za-zÀ-ÿ", "ru": "Ѐ-ӿ", "ja": "぀-ヿ一-鿿", "ko": "가-힣",
    "zh-Hans": "一-鿿", "zh-Hant": "一-鿿", "th": "ก-๛", "ar": "؀-ۿ",
}
HIRAGANA = re.compile("[぀-ヿ]")


class Repository:
    """A git repository, read at one commit."""

    def __init__(self, path, commit):
        self.git = ["git", "-C", str(path)]
        self.commit = commit or subprocess.check_output([*self.git, "rev-parse", "HEAD"]).decode().strip()

    def files(self, glob):
        out = subprocess.check_output([*self.git, "ls-tree", "-r", "-z", "--name-only", self.commit]).decode()
        return sorted(name for name in out.split("\0") if fnmatch.fnmatch(name, glob))

    def texts(self, names):
        """The texts of files, by one git process."""
        ask = "".join(f"{self.commit}:{name}\n" for name in names if "\n" not in name).encode()
        out = subprocess.run([*self.git, "cat-file", "--batch"], input=ask, capture_output=True, check=True).stdout
        at = 0
        while at < len(out):
            end = out.index(b"\n", at)
            head = out[at:end].split()
            at = end + 1
            if head[-1:] == [b"missing"]:
                continue
            size = int(head[2])
            yield out[at:at + size].decode("utf-8", "replace")
            at += size + 1


def sentences(text, length):
    """A text in pieces of about `length` characters, cut between sentences."""
    piece = ""
    for part in re.split(r"(?<=[.!?؟。！？])\s*|\n+", text):
        part = " ".join(part.split())
        if piece and len(piece) + len(part) > length:
            yield piece
            piece = ""
        piece = f"{piece} {part}".strip()
        while len(piece) > 2 * length:
            # Thai writes no full stops: cut at a blank.
            cut = piece.rfind(" ", 0, length) if " " in piece[:length] else length
            yield piece[:cut].strip()
            piece = piece[cut:].strip()
    if piece:
        yield piece


def plain(text):
    """Markdown as running text."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"```.*?```|~~~.*?~~~", "\n", text, flags=re.S)
    text = re.sub(r"<[^>\n]*>|\{/\*.*?\*/\}", " ", text)
    text = re.sub(r"!?\[([^\]\n]*)\]\([^)\n]*\)", r"\1", text)
    text = re.sub(r"^\s*(#+|>|[-*+]|\d+\.)\s+|[*_`|]|\{#.*?\}", " ", text, flags=re.M)
    return html.unescape(text)


def values(node):
    if isinstance(node, str):
        yield re.sub(r"<[^>]*>", " ", html.unescape(node))
    elif isinstance(node, (list, dict)):
        for below in node.values() if isinstance(node, dict) else node:
            yield from values(below)


def pieces(text, reader, language):
    length = LENGTH.get(language, 220)
    if reader == "lines":
        yield from (line.split("\t")[0].strip() for line in text.split("\n"))
    elif reader == "text":
        yield from sentences(text, length)
    elif reader == "markdown":
        yield from sentences(plain(text), length)
    elif reader == "source":
        # As it is written, marks, code and all.
        text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
        yield from (text[at:at + length].strip() for at in range(0, len(text), length))
    elif reader.startswith("talk"):
        text = re.sub(r"^(#.*|>.*)$", "", text, flags=re.M)
        yield from sentences(plain(text), length)
    elif reader == "json":
        for value in values(json.loads(text)):
            yield from sentences(value, length)
    elif reader == "reviews":
        yield from (entry["review"].strip() for entry in json.loads(text))


def fits(piece, language):
    if language == "mixed":
        return len(piece) >= 80
    letters = sum(c.isalpha() or "\u0e00" <= c <= "\u0e7f" for c in piece)
    own = len(re.findall(f"[{SCRIPT[language]}]", piece))
    if len(piece) < SHORTEST.get(language, 20) or own < 0.6 * max(letters, 1) or letters < 0.5 * len(piece):
        return False
    return not (language.startswith("zh") and HIRAGANA.search(piece))
