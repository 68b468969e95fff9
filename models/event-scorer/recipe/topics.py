"""What a text is about, as a direction: a linear map from the means of pieces and of three layers to the sentence vectors of a larger
encoder for English, all-MiniLM-L6-v2, stretched so that texts of different domains lie further apart. The layers speak many languages
alike, so the map serves them, too."""
import json
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer as WordPieces

from bert import each, Encoder, mean, means_of
from pieces import softened, Tokenizer

RARE, ALPHA = 1e-4, 300.0
# Of the mean variance within a domain, added to each; and how many times more variance the direction gets that parts the domains best
STEADY, STRETCH = 0.3, 10.0
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
    vectors = means_of(weights, [pieces.encode(text).ids for text in texts])
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def rarity(vocabulary: list[list]) -> np.ndarray:
    """Weight of each piece in a mean: smooth inverse frequency (Arora, Liang and Ma 2017)."""
    weight = RARE / (RARE + np.exp([score for _, score in vocabulary]))
    weight[:4] = 0
    return weight.astype(np.float32)


def layers_read(count: int) -> tuple[int, ...]:
    """After which of the layers the means are taken: three, evenly spread."""
    return tuple(round(count * part / 3) for part in (1, 2, 3))


def means(weights: dict, rare: np.ndarray, ids: list[list[int]]) -> np.ndarray:
    """[n, 4 width]: weighted mean of the pieces, and mean of the states after each layer that is read."""
    encoder, rarity = Encoder(weights), torch.tensor(rare)
    chosen = layers_read(len(encoder.layers))

    def read(ids, mask):
        share, states = rarity[ids] * mask, encoder(ids, mask)
        pieces = (encoder.pieces[ids] * share[..., None]).sum(1) / mask.sum(1)[:, None]
        return torch.cat([pieces, *(mean(states[i], mask) for i in chosen)], 1)

    return np.array(each(read, ids))


def fit(texts: list[str], target: np.ndarray, rows: list[dict], weights: dict, vocabulary: list[list]) -> dict:
    """`topic` [4 width, width], `topic_mean` [width] to take off, and `rarity` of the pieces. rows: of texts with their domain."""
    rare = rarity(vocabulary)
    read = features_by(weights, rare, Tokenizer(vocabulary))
    features = read(texts)
    centre, spread = features.mean(0), features.std(0) + 1e-6
    x, y = (features - centre) / spread, target - target.mean(0)
    solution = np.linalg.solve(x.T @ x + ALPHA * np.eye(x.shape[1]), x.T @ y) / spread[:, None]
    found = (read([row['text'] for row in rows]) - centre) @ solution
    solution = solution @ stretched(found / np.linalg.norm(found, axis=1, keepdims=True), [row['domain'] for row in rows])
    return {'topic': solution.astype(np.float32), 'topic_mean': (centre @ solution).astype(np.float32), 'rarity': rare}


def features_by(weights: dict, rare: np.ndarray, tokenizer: Tokenizer) -> Callable[[list[str]], np.ndarray]:
    return lambda texts: means(weights, rare, [tokenizer.encode(softened(text)) for text in texts])


def stretched(topics: np.ndarray, domains: list[str]) -> np.ndarray:
    """[width, width]: makes the variance within domains alike in all directions, then stretches those that part the domains
    (linear discriminant analysis, Fisher 1936, but keeping all directions)."""
    own = np.array(domains)
    groups = [topics[own == domain] for domain in sorted(set(domains))]
    centres = np.array([group.mean(0) for group in groups])
    sizes = np.array([len(group) for group in groups]) / len(topics)
    within = sum((group - centre).T @ (group - centre) for group, centre in zip(groups, centres)) / len(topics)
    away = (centres - topics.mean(0)) * np.sqrt(sizes)[:, None]
    width = len(within)
    values, turn = np.linalg.eigh(within + STEADY * np.trace(within) / width * np.eye(width))
    even = turn @ np.diag(values ** -0.5) @ turn.T
    values, turn = np.linalg.eigh(even @ away.T @ away @ even)
    return even @ turn @ np.diag(np.sqrt(1 + STRETCH * values.clip(0) / values.max())) @ turn.T
