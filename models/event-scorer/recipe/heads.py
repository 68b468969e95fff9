"""The two linear heads: logistic regression for sentiment, ridge regression for importance."""
from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression, Ridge

SENTIMENT_C, IMPORTANCE_ALPHA = 0.5, 4.0
LEXICON_WEIGHT = 0.2
WORD_SCALE, LEXICON_SCALE = 0.7, 0.5
IMPORTANCE_FLOOR, IMPORTANCE_SPAN = 0.25, 0.65


@dataclass
class Features:
    """One row a text: unit sentence vector [n, 512], mean of the encoder's last layer [n, 512], mean word vector before
    centring [n, 100], lexicon features [n, 14]."""
    sentence: np.ndarray
    state: np.ndarray
    word_mean: np.ndarray
    lexicon: np.ndarray

    def rows(self, chosen) -> 'Features':
        return Features(*(part[chosen] for part in (self.sentence, self.state, self.word_mean, self.lexicon)))


@dataclass
class Heads:
    """Weights over [sentence 512, words 100, lexicon 14]; sentiment rows are negative, neutral, positive."""
    sentiment: np.ndarray
    sentiment_bias: np.ndarray
    importance: np.ndarray
    importance_bias: float
    common: np.ndarray
    sentence_mean: np.ndarray
    state_mean: np.ndarray

    def effect_directions(self) -> np.ndarray:
        """[626, 2]: one unit of a feature in polarity (half the log odds of positive against negative, its slope at zero)
        and in importance as it is reported."""
        return np.stack([(self.sentiment[2] - self.sentiment[0]) / 2, self.importance / IMPORTANCE_SPAN], 1)

    def predict(self, features: Features) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities [n, 3] and raw importance [n]."""
        x = matrix(features, self.common)
        logits = x @ self.sentiment.T + self.sentiment_bias
        odds = np.exp(logits - logits.max(1, keepdims=True))
        return odds / odds.sum(1, keepdims=True), x @ self.importance + self.importance_bias


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def matrix(features: Features, common: np.ndarray) -> np.ndarray:
    words = features.word_mean - np.outer(features.word_mean @ common, common)
    return np.concatenate([features.sentence, unit(words) * WORD_SCALE, features.lexicon * LEXICON_SCALE], 1)


def train(texts: Features, sentiment: np.ndarray, importance: np.ndarray, weight: np.ndarray,
          terms: Features, term_sentiment: np.ndarray) -> Heads:
    """Single words of the lexicons join the training of sentiment at a low weight and without their lexicon features, so
    that what the lexicons know reaches words of like meaning."""
    common = np.linalg.svd(texts.word_mean, full_matrices=False)[2][0]
    x, xt = matrix(texts, common), matrix(Features(terms.sentence, terms.state, terms.word_mean, terms.lexicon * 0), common)
    classifier = LogisticRegression(C=SENTIMENT_C, max_iter=2000, tol=1e-6).fit(
        np.concatenate([x, xt]), np.concatenate([sentiment, term_sentiment]),
        sample_weight=np.concatenate([weight, np.full(len(xt), LEXICON_WEIGHT)]))
    ridge = Ridge(IMPORTANCE_ALPHA).fit(x, importance, sample_weight=weight)
    return Heads(classifier.coef_, classifier.intercept_, ridge.coef_, float(ridge.intercept_), common,
                 texts.sentence.mean(0), texts.state.mean(0))
