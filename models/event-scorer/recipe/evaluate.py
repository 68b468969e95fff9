"""How good the scorer is: on training patterns it has not seen, on hand-written texts kept aside, and at telling what
belongs to a workspace."""
import json

import numpy as np
from sklearn.metrics import roc_auc_score

from features import TERM
from heads import Features, Heads
from model import Scorer
from patterns import DATA, Row
from scores import closeness, importance_of, profile_topics

FOLDS, FOLD_SEED = 5, 1


def quality(probabilities: np.ndarray, importance: np.ndarray, rows: list[Row]) -> dict:
    right = probabilities.argmax(1) - 1 == [row.sentiment for row in rows]
    r = np.corrcoef(importance_of(importance), [row.importance for row in rows])[0, 1]
    return {'texts': len(rows), 'sentiment_accuracy': round(float(right.mean()), 3), 'importance_r': round(float(r), 3)}


def cross_validated(rows: list[Row], features: Features, fit) -> dict:
    """Folds by pattern, so no text of a pattern helps to judge another one. fit(chosen) -> Heads."""
    groups = np.array([row.group for row in rows])
    fold_of = np.random.default_rng(FOLD_SEED).permutation(groups.max() + 1) % FOLDS
    probabilities, importance = np.zeros((len(rows), 3)), np.zeros(len(rows))
    for fold in range(FOLDS):
        out = fold_of[groups] == fold
        probabilities[out], importance[out] = fit(~out).predict(features.rows(out))
    return quality(probabilities, importance, rows)


def seen(rows: list[Row], features: Features, heads: Heads) -> dict:
    return quality(*heads.predict(features), rows)


def relevance(scorer: Scorer) -> dict:
    """Area under the ROC curve: a workspace's own texts against those of the others, and against texts for nobody."""
    data = json.loads((DATA / 'profiles.json').read_text())
    topics = [[scorer.read(text)['topic'] for text in w['texts']] for w in data['workspaces']]
    nobody = [scorer.read(text)['topic'] for text in data['irrelevant']]
    own, others, irrelevant = [], [], []
    for i, workspace in enumerate(data['workspaces']):
        profile = profile_topics(scorer, workspace)
        near = lambda texts: [closeness(topic, *profile) for topic in texts]
        own += near(topics[i])
        irrelevant += near(nobody)
        others += near(topic for j, texts in enumerate(topics) if j != i for topic in texts)
    auc = lambda yes, no: round(float(roc_auc_score([1] * len(yes) + [0] * len(no), yes + no)), 3)
    return {'auc_own_against_irrelevant': auc(own, irrelevant), 'auc_own_against_other_workspaces': auc(own, others)}


def faithfulness(scorer: Scorer, rows: list[Row]) -> dict:
    """Correlation between a word's effect on polarity and what happens to the log odds when the word is taken out."""
    told, true = [], []
    for row in rows:
        whole = log_odds(scorer, row.text)
        for match in TERM.finditer(row.text):
            without = row.text[:match.start()] + row.text[match.end():]
            told.append(word_effect(scorer, row.text, match.group()))
            true.append((whole - log_odds(scorer, without)) / 2)
    return {'words': len(told), 'effect_against_deletion_r': round(float(np.corrcoef(told, true)[0, 1]), 3)}


def log_odds(scorer: Scorer, text: str) -> float:
    p = scorer.read(text)['probabilities']
    return float(np.log(p[2] / p[0]))


def word_effect(scorer: Scorer, text: str, word: str) -> float:
    """Effect on polarity of a word's pieces and vector; what the lexicon features add is left to the runtime."""
    reading, reader = scorer.read(text), scorer.reader
    pieces, ids = set(reader.tokenizer.encode(word)), set(reader.words.encode(word))
    inputs = reader.inputs(text)
    tokens = sum(e[0] for e, piece in zip(reading['token_effects'], inputs['tokens']) if piece in pieces)
    return float(tokens + sum(e[0] for e, i in zip(reading['word_effects'], inputs['words']) if i in ids))
