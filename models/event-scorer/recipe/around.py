"""Texts among sentences that are not news: administration, praise, grumbling. They carry the label of the text alone, for what stands
around news says nothing about it."""
import random
import unicodedata
from collections import defaultdict

from patterns import DATA

SEED, COUNT, QUIET, LABELLED = 13, 7000, 0.5, 0.2
# Of the text, and of all together, in characters: about what is read of a text in training
ALONE, TOGETHER = {'zh': 50, 'ja': 50}, {'zh': 90, 'ja': 90, 'ru': 220, 'hi': 220, 'bn': 220, 'ar': 220, 'ur': 220}
LONGEST, WHOLE = 170, 310
STOP = {'zh': '\u3002', 'ja': '\u3002', 'hi': '\u0964', 'bn': '\u0964', 'ur': '\u06d4'}


def sentences() -> dict[str, dict[str, list[str]]]:
    """Language -> kind (admin, praise, gloom, label) -> sentences, out of lines `kind|language|sentence`."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for line in (DATA / 'around.txt').read_text('utf-8').splitlines():
        kind, lang, sentence = line.split('|', 2)
        found[lang][kind].append(sentence)
    return found


def administration() -> list[dict]:
    """Sentences of administration by themselves: neutral, and of no importance."""
    return [{'text': sentence, 'sentiment': 0, 'importance': 0.05, 'weight': QUIET}
            for kinds in sentences().values() for sentence in kinds['admin']]


def surrounded(rows: list[dict]) -> list[dict]:
    """COUNT of the rows that have a language, with up to four sentences around each and a label in front of some; `about`: the text
    alone. Posts stay alone: what is felt beside what their writers feel does count."""
    chance, around = random.Random(SEED), sentences()
    short = [row for row in rows if row.get('lang') in around and len(row['text']) <= ALONE.get(row['lang'], LONGEST)
             and 'tweet' not in row['tags']]
    return [among(row, around[row['lang']], chance) for row in chance.sample(short, min(COUNT, len(short)))]


def among(row: dict, kinds: dict[str, list[str]], chance: random.Random) -> dict:
    """Bad news more often among praise, good news among grumbling: feelings that are not the news."""
    against = {-1: 'praise', 0: chance.choice(['praise', 'gloom']), 1: 'gloom'}[row['sentiment']]
    before, after = [], []
    label = chance.choice(kinds['label']) + ' ' if chance.random() < LABELLED else ''
    for _ in range(chance.randint(0 if label else 1, 4)):
        drawn = chance.random()
        kind = 'admin' if drawn < 0.5 else against if drawn < 0.85 else 'praise'
        sentence = chance.choice(kinds[kind])
        if sum(map(len, [row['text'], sentence, *before, *after])) <= TOGETHER.get(row['lang'], WHOLE):
            (before if chance.random() < 0.5 else after).append(sentence)
    news = label + row['text']
    return {**row, 'text': ' '.join(ended(part, row['lang']) for part in [*before, news, *after]), 'about': row['text']}


def ended(sentence: str, lang: str) -> str:
    last = sentence[-1]
    return sentence + STOP.get(lang, '.') if unicodedata.category(last)[0] in 'LMN' or last in '%)' else sentence
