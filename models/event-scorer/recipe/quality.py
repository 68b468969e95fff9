"""How well weights in training do on texts: sentiment, importance, sign of stated targets."""
import numpy as np

from bert import each, Encoder
from heads import pooled, predictions, rises
from pieces import softened, Tokenizer
from texts import TARGET_TOKENS


def vectors_of(rows: list[dict], weights: dict, heads: dict, tokenizer: Tokenizer) -> np.ndarray:
    return pooled_vectors([tokenizer.encode(softened(row['text'])) for row in rows], weights, heads)


def pooled_vectors(ids: list[list[int]], weights: dict, heads: dict) -> np.ndarray:
    encoder = Encoder(weights)
    rows = each(lambda *batch: encoder(*batch)[-1], ids)
    return np.array([pooled(heads, row[None, :len(own)], np.ones((1, len(own))))[0] for row, own in zip(rows, ids)])


def quality(rows: list[dict], weights: dict, heads: dict, tokenizer: Tokenizer) -> dict:
    text = vectors_of(rows, weights, heads, tokenizer)
    logits, importance = predictions(heads, text)
    said = [(i, target) for i, row in enumerate(rows) for target in row['targets']]
    names = pooled_vectors([tokenizer.encode(target['target'], TARGET_TOKENS) for _, target in said], weights, heads)
    at = [i for i, _ in said]
    odds = rises(heads, text[at], logits[at], names[:, None])[:, 0]
    return summary(rows, logits.argmax(1) - 1, importance, [np.sign(o) == target['sign'] for o, (_, target) in zip(odds, said)])


def summary(rows: list[dict], sentiment: np.ndarray, importance: np.ndarray, signs_right: list[bool]) -> dict:
    right = sentiment == [row['sentiment'] for row in rows]
    share = lambda chosen: round(float(right[[chosen(row) for row in rows]].mean()), 3)
    return {
        'texts': len(rows), 'sentiment_accuracy': share(lambda row: True), 'english': share(lambda row: row['lang'] == 'en'),
        'other_languages': share(lambda row: row['lang'] != 'en'), 'reversals': share(lambda row: 'reversal' in row['tags']),
        'importance_r': round(float(np.corrcoef(importance, [row['importance'] for row in rows])[0, 1]), 3),
        'target_sign': round(float(np.mean(signs_right)), 3)}
