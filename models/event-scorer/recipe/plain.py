"""Plain speech, beside so many texts whose words point the wrong way: words of feeling, and short sentences that mean what they say."""
import json
import random
import re

from patterns import DATA

SEED, EACH, WEIGHT = 9, 90, 0.5


def plain() -> list[dict]:
    """Texts with `sentiment`; their importance is not known."""
    words = [line.rsplit('|', 1) for line in (DATA / 'feelings.txt').read_text('utf-8').splitlines()]
    made = [*((word, int(sign)) for word, sign in words), *sentences()]
    return [{'text': text, 'sentiment': sign, 'importance': -1, 'weight': WEIGHT} for text, sign in dict(made).items()]


def sentences() -> list[tuple[str, int]]:
    """Fillings of the patterns, each tried EACH times."""
    given, chance = json.loads((DATA / 'plain.json').read_text()), random.Random(SEED)
    filled = lambda pattern: re.sub(r'\{(\w+)\}', lambda slot: chance.choice(given[slot[1]]), pattern)
    return [(text[0].upper() + text[1:] if chance.random() < 0.6 else text, sign)
            for pattern, sign in given['patterns'] for text in (filled(pattern) for _ in range(EACH))]
