"""How well weights in training do on texts: sentiment, importance, sign of stated targets."""
import jax
import numpy as np

from bert import states_of
from pieces import softened, Tokenizer
from train import predictions, rises, TARGET_TOKENS


def vectors_of(rows: list[dict], weights: dict, tokenizer: Tokenizer) -> np.ndarray:
    return means(weights, [tokenizer.encode(softened(row['text'])) for row in rows])


def means(weights: dict, ids: list[list[int]]) -> np.ndarray:
    return np.array([states.mean(0) for states in states_of(weights, ids)])


def quality(rows: list[dict], weights: dict, heads: dict, tokenizer: Tokenizer) -> dict:
    heads, text = jax.tree.map(np.asarray, heads), vectors_of(rows, weights, tokenizer)
    logits, importance = map(np.asarray, predictions(heads, text))
    said = [(i, target) for i, row in enumerate(rows) for target in row['targets']]
    names = means(weights, [tokenizer.encode(target['target'], TARGET_TOKENS) for _, target in said])
    at = [i for i, _ in said]
    odds = np.asarray(rises(heads, text[at], logits[at], names[:, None]))[:, 0]
    right = logits.argmax(1) - 1 == [row['sentiment'] for row in rows]
    share = lambda chosen: round(float(right[[chosen(row) for row in rows]].mean()), 3)
    return {
        'texts': len(rows), 'sentiment_accuracy': share(lambda row: True), 'english': share(lambda row: row['lang'] == 'en'),
        'other_languages': share(lambda row: row['lang'] != 'en'), 'reversals': share(lambda row: 'reversal' in row['tags']),
        'importance_r': round(float(np.corrcoef(importance, [row['importance'] for row in rows])[0, 1]), 3),
        'target_sign': round(float((np.sign(odds) == [target['sign'] for _, target in said]).mean()), 3)}
