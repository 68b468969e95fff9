"""Effects of words: what a word does for polarity and importance is what happens when it is taken out. That costs a reading for
every word, so a linear map from a token's last state to its effect is fitted to such readings once, and the graph carries it."""
import re

import numpy as np

from bert import states_of
from heads import pooled, predictions
from pieces import LONGEST, softened, Tokenizer
from quality import pooled_vectors

WORD = re.compile(r'\S+')
TEXTS, SEED, ALPHA = 1200, 3, 30.0


def fit(rows: list[dict], weights: dict, heads: dict, tokenizer: Tokenizer) -> dict:
    """`effects` [width, 2] and `effects_bias` [2] for [polarity, importance]; polarity in half the log odds."""
    chosen = np.random.default_rng(SEED).permutation(len(rows))[:TEXTS]
    features, changes = occluded([softened(rows[i]['text']) for i in chosen], weights, heads, tokenizer)
    square = features.T @ features + ALPHA * np.eye(features.shape[1])
    solution = np.linalg.solve(square, features.T @ changes)
    return {'effects': solution[:-1].astype(np.float32), 'effects_bias': solution[-1].astype(np.float32)}


def occluded(texts: list[str], weights: dict, heads: dict, tokenizer: Tokenizer) -> tuple[np.ndarray, np.ndarray]:
    """For every word of every text the sum of its tokens' states and their number, and the change when it is taken out."""
    words = [(text, match.span()) for text in texts for match in WORD.finditer(text)]
    without = [(text[:start] + ' ' + text[end:]) for text, (start, end) in words]
    whole = states_of(weights, [tokenizer.encode(text) for text in texts])
    told = dict(zip(texts, outputs(heads, [pooled(heads, states[None], np.ones((1, len(states))))[0] for states in whole])))
    states, parts = dict(zip(texts, whole)), {text: places(text, tokenizer) for text in texts}
    after = outputs(heads, pooled_vectors([tokenizer.encode(text) for text in without], weights, heads))
    features = [summed(states[text], parts[text].get(start, [])) for text, (start, _) in words]
    changes = [told[text] - after[i] for i, (text, _) in enumerate(words)]
    return np.array(features), np.array(changes)


def places(text: str, tokenizer: Tokenizer) -> dict[int, list[int]]:
    """Start of each word -> its tokens' numbers in the text."""
    found: dict[int, list[int]] = {}
    for at, (start, _) in enumerate(tokenizer.placed(text)[:LONGEST - 2], 1):
        found.setdefault(start, []).append(at)
    return found


def summed(states: np.ndarray, chosen: list[int]) -> np.ndarray:
    here = states[[i for i in chosen if i < len(states)]]
    return np.append(here.sum(0), len(here))


def outputs(heads: dict, vectors) -> np.ndarray:
    """[n, 2]: half the log odds of positive against negative, and importance."""
    logits, importance = predictions(heads, np.array(vectors))
    return np.stack([(logits[:, 2] - logits[:, 0]) / 2, importance], 1)
