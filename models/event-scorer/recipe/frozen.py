"""Sentence vectors of the whole encoder as it was fetched: what texts are about, in any language. They take minutes, so they are kept
in a file of the work folder."""
import pickle
from pathlib import Path

import numpy as np
import torch

from bert import means_of, weights_from
from losses import Model
from pieces import softened, Tokenizer
from scores import FORMULAS

LAYERS, LONGEST = 12, 128


def directions(source: tuple, texts: list[str], work: Path) -> np.ndarray:
    """source: pieces, scores and tensors of the encoder. [n, width], without what all texts have in common, of length one."""
    file = work / f'frozen-{FORMULAS}.pickle'
    known = pickle.loads(file.read_bytes()) if file.exists() else {}
    new = sorted({softened(text) for text in texts} - known.keys())
    if new:
        known |= dict(zip(new, vectors(source, new)))
        file.write_bytes(pickle.dumps(known))
    found = np.array([known[softened(text)] for text in texts])
    return unit(found - found.mean(0)).astype(np.float32)


def vectors(source: tuple, texts: list[str]) -> np.ndarray:
    pieces, scores, tensors = source
    tokenizer = Tokenizer(list(zip(pieces, scores.tolist())))
    ask = tokenizer.encode('query:')[1:-1]
    ids = [[0, *ask, *tokenizer.encode(text)[1:]][:LONGEST] for text in texts]
    with torch.autocast('cpu', torch.bfloat16, enabled=Model.half):
        return unit(means_of(weights_from(tensors, np.arange(len(pieces)), LAYERS), ids))


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
