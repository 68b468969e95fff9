"""All texts that are trained on, and batches of them."""
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from around import administration
from bert import batches, padded
from labels import check
from patterns import labelled, training_rows
from pieces import softened, Tokenizer
from plain import plain
from turns import turns

TARGETS, MAX_TOKENS, TARGET_TOKENS = 3, 96, 12
PATTERN_FILLINGS, MADE_WEIGHT, MORE_WEIGHT, EXTRA_WEIGHT = 2, 0.5, 1.0, 1.0
UNKNOWN = 9
KINDS = [*check.DOMAINS, *check.FEATURES]


def made_texts() -> list[dict]:
    """Training texts beside the labelled set: fillings of patterns and turns, single lines, plain speech, administration."""
    as_text = lambda row, weight: {'text': row.text, 'sentiment': row.sentiment, 'importance': row.importance, 'weight': weight}
    fillings: dict[int, list] = {}
    for row in training_rows():
        fillings.setdefault(row.group, []).append(row)
    patterns = [row for group in fillings.values() for row in group[:PATTERN_FILLINGS]]
    return ([{**turn, 'importance': -1, 'weight': MADE_WEIGHT} for turn in turns()]
            + [as_text(row, MADE_WEIGHT) for row in patterns] + [as_text(row, MORE_WEIGHT) for row in labelled('more.txt')]
            + plain() + administration())


def names_in(rows: list[dict]) -> list[str]:
    return sorted({target['target'] for row in rows for target in row.get('targets', [])})


def unlabelled(rows: list[dict]) -> list[dict]:
    """Texts that only a teacher has something to say about: names of targets."""
    known = {row['text'] for row in rows}
    return [{'text': name, 'sentiment': UNKNOWN, 'importance': -1, 'weight': 0} for name in names_in(rows) if name not in known]


@dataclass
class Texts:
    """Token ids; sentiment -1, 0, 1, UNKNOWN; importance (-1: not known); weight of the labels; up to three targets (number of the
    name, sign; sign 0: none); which of KINDS hold (-1: not known); the direction of the topic (zeros: not known); and what a teacher
    says of each text."""
    ids: list[list[int]]
    sentiment: Tensor
    importance: Tensor
    weight: Tensor
    targets: Tensor
    signs: Tensor
    kinds: Tensor
    topic: Tensor
    taught: dict[str, Tensor] = field(default_factory=dict)

    def batch(self, chosen: list[int]) -> dict[str, Tensor]:
        ids, mask = padded([self.ids[i] for i in chosen])
        labels = ('sentiment', 'importance', 'weight', 'targets', 'signs', 'kinds', 'topic')
        return {'ids': ids, 'mask': mask, **{name: getattr(self, name)[chosen] for name in labels},
                **{name: values[chosen] for name, values in self.taught.items()}}

    def epoch(self, tokens: int, seed: int) -> list[list[int]]:
        return batches(list(map(len, self.ids)), tokens, np.random.default_rng(seed))


def texts_from(rows: list[dict], topics: np.ndarray, tokenizer: Tokenizer, names: list[str]) -> Texts:
    numbers = {name: i for i, name in enumerate(names)}
    targets, signs = np.zeros((len(rows), TARGETS), np.int64), np.zeros((len(rows), TARGETS), np.float32)
    for i, row in enumerate(rows):
        for k, target in enumerate(row.get('targets', [])):
            targets[i, k], signs[i, k] = numbers[target['target']], target['sign']
    of = lambda name, default=None: [row.get(name, default) for row in rows]
    ids = [tokenizer.encode(softened(row['text'])) for row in rows]
    return Texts([own if len(own) <= MAX_TOKENS else [*own[:MAX_TOKENS - 1], own[-1]] for own in ids],
                 torch.tensor(of('sentiment')), torch.tensor(of('importance'), dtype=torch.float32),
                 torch.tensor(of('weight', 1), dtype=torch.float32), torch.tensor(targets), torch.tensor(signs),
                 torch.tensor([kinds_of(row) for row in rows]), torch.tensor(topics))


def kinds_of(row: dict) -> list[float]:
    """Domain and features, where they are known."""
    return [float(kind in (row['domain'], *row['tags'])) if 'domain' in row else -1.0 for kind in KINDS]
