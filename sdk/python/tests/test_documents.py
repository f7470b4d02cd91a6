"""What the documents say about the package."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_no_document_installs_the_other_purser_of_pypi() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.md", "*.json", "*.ts", "*.toml"], cwd=ROOT, capture_output=True
    )
    files = [ROOT / name for name in listed.stdout.decode().split("\0") if name and "node_modules" not in name]
    # The package of this name on PyPI is somebody else's.
    wrong = re.compile(r"pip3? install (\S+ )*purser(?![\w-])")
    found = [str(file) for file in files if file.exists() and wrong.search(file.read_text(errors="replace"))]

    assert ROOT / "sdk/python/README.md" in files
    assert found == []
