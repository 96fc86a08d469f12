"""The documents of files and folders, one after another."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator, Sequence
from typing import Literal, Optional, Union

from ._document import Document, of_outline
from ._errors import GristmillWarning, InputError
from ._native import Files
from ._options import Ocr, StrPath, chunk_settings

OnError = Literal["raise", "warn"]


def listed(paths: Union[StrPath, Sequence[StrPath]]) -> list[str]:
    """One path or several as a list."""
    if isinstance(paths, (str, os.PathLike)):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]


def documents(
    paths: Union[StrPath, Sequence[StrPath]],
    root: Optional[StrPath],
    on_error: OnError,
    ocr: Optional[Ocr] = None,
    ocr_lang: Optional[str] = None,
) -> Iterator[Document]:
    """The documents of files and folders. Files of a kind that is not read are passed over."""
    files = Files(listed(paths), None if root is None else os.fspath(root))
    sources = files.sources()
    options = chunk_settings({"ocr": ocr, "ocr_lang": ocr_lang})
    any_read = False
    for index, source in enumerate(sources):
        try:
            read = files.read(index, options)
        except InputError as error:
            if on_error == "raise":
                raise
            warnings.warn(f"{source}: {error}", GristmillWarning, stacklevel=3)
            continue
        if read is not None:
            any_read = True
            yield of_outline(json.loads(read[1]), read[0])
    if not any_read and on_error == "raise":
        raise InputError(f"no readable document: {', '.join(listed(paths))}")
