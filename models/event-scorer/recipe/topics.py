"""What a text is about, as a direction: a linear map from the means of four layers to the sentence vectors of a larger encoder for
English, all-MiniLM-L6-v2. The layers speak many languages alike, so the map serves them, too."""
import json
import struct
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from tokenizers import Tokenizer as WordPieces

from bert import batches, embed, encode, mean, padded, states_of
from pieces import softened, Tokenizer

LAYERS = (2, 4, 6)
RARE, ALPHA = 1e-4, 300.0
PARTS = {'q': 'attention.self.query', 'k': 'attention.self.key', 'v': 'attention.self.value', 'out': 'attention.output.dense',
         'norm_1': 'attention.output.LayerNorm', 'inner': 'intermediate.dense', 'outer': 'output.dense', 'norm_2': 'output.LayerNorm'}


def teacher(folder: Path) -> tuple[WordPieces, dict]:
    """Tokenizer and weights, in the form of bert.py, out of the folder `model` of the package."""
    pieces = WordPieces.from_file(str(folder / 'tokenizer.json'))
    pieces.no_padding()
    pieces.enable_truncation(96)
    data = (folder / 'model.safetensors').read_bytes()
    size, = struct.unpack_from('<Q', data)
    found = {name: np.frombuffer(data, '<f4', int(np.prod(spec['shape'])), 8 + size + spec['data_offsets'][0]).reshape(spec['shape'])
             for name, spec in json.loads(data[8:8 + size]).items() if spec.get('dtype') == 'F32'}
    stack = lambda part, kind: np.stack([found[f'encoder.layer.{i}.{PARTS[part]}.{kind}'].T for i in range(6)])
    layers = {'qkv': np.concatenate([stack(name, 'weight') for name in 'qkv'], 2),
              'qkv_bias': np.concatenate([stack(name, 'bias') for name in 'qkv'], 1)}
    for part in ('out', 'norm_1', 'inner', 'outer', 'norm_2'):
        layers |= {part: stack(part, 'weight'), f'{part}_bias': stack(part, 'bias')}
    of = lambda name: found[f'embeddings.{name}']
    return pieces, {'pieces': of('word_embeddings.weight'), 'norm': of('LayerNorm.weight'), 'norm_bias': of('LayerNorm.bias'),
                    'places': (of('position_embeddings.weight') + of('token_type_embeddings.weight')[0])[:128], 'layers': layers}


def wanted(texts: list[str], folder: Path) -> np.ndarray:
    pieces, weights = teacher(folder)
    vectors = np.array([states.mean(0) for states in states_of(weights, [pieces.encode(text).ids for text in texts])])
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def rarity(vocabulary: list[list]) -> np.ndarray:
    """Weight of each piece in a mean: smooth inverse frequency (Arora, Liang and Ma 2017)."""
    weight = RARE / (RARE + np.exp([score for _, score in vocabulary]))
    weight[:4] = 0
    return weight.astype(np.float32)


def means(weights: dict, rare: np.ndarray, ids: list[list[int]], tokens: int = 1024) -> np.ndarray:
    """[n, 4 width]: weighted mean of the pieces, and mean of the states after each of LAYERS."""
    @jax.jit
    def run(w, rare, ids, mask):
        share = rare[ids] * mask
        found = [(w['pieces'][ids] * share[..., None]).sum(1) / mask.sum(1)[:, None]]
        x, low = embed(w, ids), 0
        for high in LAYERS:
            x, low = encode({name: values[low:high] for name, values in w['layers'].items()}, x, mask), high
            found.append(mean(x, mask))
        return jnp.concatenate(found, 1)

    w, rows = jax.tree.map(jnp.asarray, weights), [np.zeros(0)] * len(ids)
    for length, chosen in batches(list(map(len, ids)), tokens):
        got = np.asarray(run(w, jnp.asarray(rare), *padded([np.array(ids[i]) for i in chosen], length, max(1, tokens // length))))
        for row, i in zip(got, chosen):
            rows[i] = row
    return np.array(rows)


def fit(texts: list[str], target: np.ndarray, weights: dict, vocabulary: list[list]) -> dict:
    """`topic` [4 width, width], `topic_mean` [width] to take off, and `rarity` of the pieces."""
    tokenizer, rare = Tokenizer(vocabulary), rarity(vocabulary)
    features = means(weights, rare, [tokenizer.encode(softened(text)) for text in texts])
    centre, spread = features.mean(0), features.std(0) + 1e-6
    x, y = (features - centre) / spread, target - target.mean(0)
    solution = np.linalg.solve(x.T @ x + ALPHA * np.eye(x.shape[1]), x.T @ y) / spread[:, None]
    return {'topic': solution.astype(np.float32), 'topic_mean': (centre @ solution).astype(np.float32), 'rarity': rare}
