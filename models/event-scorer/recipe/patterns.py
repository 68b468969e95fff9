"""The training sentences: patterns with slots, filled at random from a fixed seed."""
import json
import random
import re
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / 'data'
SEED = 7


@dataclass
class Row:
    """sentiment -1, 0, 1; importance 0 to 1; group = number of the pattern the text was made from."""
    text: str
    sentiment: int
    importance: float
    group: int


def labelled(file: str) -> list[Row]:
    """A data file of lines `text|sentiment|importance`."""
    lines = (line.rsplit('|', 2) for line in (DATA / file).read_text().splitlines())
    return [Row(text, int(sentiment), float(importance), i) for i, (text, sentiment, importance) in enumerate(lines)]


def training_rows() -> list[Row]:
    """Up to 8 different texts for a pattern with one slot, 12 for more, one for none."""
    slots, chance = json.loads((DATA / 'slots.json').read_text()), random.Random(SEED)
    rows, seen = [], set()
    for pattern in labelled('patterns.txt'):
        names = re.findall(r'\{(\w+)\}', pattern.text)
        wanted, made = (0, 8, 12)[min(len(names), 2)] or 1, 0
        for _ in range(2 * wanted):
            text = re.sub(r'\{(\w+)\}', lambda slot: chance.choice(slots[slot[1]]), pattern.text)
            text = text[0].upper() + text[1:]
            if text not in seen:
                seen.add(text)
                rows.append(Row(text, pattern.sentiment, pattern.importance, pattern.group))
                made += 1
                if made == wanted:
                    break
    return rows
