"""Standing in for other packages.

>>> import gristmill.compat
>>> gristmill.compat.install("rag_hygiene")
>>> from rag_hygiene import check, repair                                        # doctest: +SKIP
"""

from __future__ import annotations

import sys
import types

from . import Chunk, Report, __version__, check, repair
from ._errors import UsageError

__all__ = ["install"]

#: What each package gives under its own names.
_PACKAGES = {"rag_hygiene": {"check": check, "repair": repair, "Chunk": Chunk, "Report": Report}}


def install(name: str) -> None:
    """From now on ``import name`` gives what gristmill has under the names of that package."""
    names = _PACKAGES.get(name)
    if names is None:
        raise UsageError(f"nothing stands in for this package: {name}", f"known are {', '.join(_PACKAGES)}")
    module = types.ModuleType(name, f"The names of `{name}`, by gristmill {__version__}.")
    vars(module).update(names, __version__=__version__, __all__=list(names))
    sys.modules[name] = module
