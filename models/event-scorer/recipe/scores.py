"""From what the model says to the six scores. The runtime's formulas are in domain/scoring; the reference numbers made
here hold the two to the same."""
import math

import numpy as np

from model import Scorer

FORMULAS = 3  # raise together with the runtime's number whenever a rule changes an answer
SENTIMENTS = ('negative', 'neutral', 'positive')
NEAR, SLOPE = 0.12, 0.06


def importance_of(raw):
    return np.clip(raw, 0, 1)


def closeness(topic: np.ndarray, whole: np.ndarray, phrases: np.ndarray) -> float:
    """Half the cosine to the whole profile, half the mean of the three best cosines to single phrases."""
    return float(topic @ whole / 2 + np.sort(phrases @ topic)[-3:].mean() / 2)


def relevance_of(cosine: float) -> float:
    return 1 / (1 + math.exp(-(cosine - NEAR) / SLOPE))


def profile_topics(scorer: Scorer, profile: dict) -> tuple[np.ndarray, np.ndarray]:
    parts = [profile['description'], *profile['phrases']]
    return scorer.read('. '.join(parts))['topic'], np.array([scorer.read(part)['topic'] for part in parts])


def half_up(x: float, places: int = 0) -> float:
    """Rounds as JavaScript's Math.round does: halves upwards."""
    return math.floor(x * 10 ** places + 0.5) / 10 ** places


def scores(scorer: Scorer, text: str, profile: dict | None) -> dict:
    reading = scorer.read(text)
    p, topic = reading['probabilities'].astype(float), reading['topic']
    relevance = half_up(relevance_of(closeness(topic, *profile_topics(scorer, profile))) if profile else 0.5, 4)
    sentiment, polarity = SENTIMENTS[int(p.argmax())], half_up(p[2] - p[0], 4)
    importance = half_up(float(importance_of(float(reading['importance'][0]))), 4)
    impact = half_up((polarity / 4 if sentiment == 'neutral' else polarity) * importance * relevance, 4)
    rank = half_up(100 * math.sqrt(relevance) * (0.7 * importance + 0.3 * abs(impact)))
    return {'sentiment': sentiment, 'polarity': polarity, 'importance': importance, 'relevance': relevance,
            'impact': impact, 'rank': int(rank)}
