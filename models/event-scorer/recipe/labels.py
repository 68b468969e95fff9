"""The labelled texts: both passes settled into one label, and the split."""
import hashlib
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'data'))
import check  # noqa: E402

TEST, DEV = 0.15, 0.13


def settled() -> list[dict]:
    """Every labelled text with `part`: train, dev or test. importance: mean of both passes. sentiment: what both say, or
    what settled.jsonl decided where they part."""
    again = {row['id']: row for row in check.load('second-pass')}
    decided = {row['id']: row['sentiment'] for row in lines(check.HERE / 'settled.jsonl')}
    rows = []
    for row in check.load('texts'):
        second = again[row['id']]
        same = row['sentiment'] == second['sentiment']
        rows.append({**row, 'sentiment': row['sentiment'] if same else decided[row['id']],
                     'importance': (row['importance'] + second['importance']) / 2})
    parts = parts_of(rows)
    return [{**row, 'part': parts[row['pattern']]} for row in rows]


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text('utf-8').splitlines()]


def parts_of(rows: list[dict]) -> dict[str, str]:
    """Pattern -> part. A pattern is at home in the first domain that has it; there patterns come in the order of a hash, and
    the first 15% of the texts are for the test, the next 13% for choosing between models, the rest for training."""
    home = {}
    for row in rows:
        home.setdefault(row['pattern'], row['domain'])
    parts = {}
    for domain in check.DOMAINS:
        mine = [row['pattern'] for row in rows if home[row['pattern']] == domain]
        seen = 0
        for pattern in sorted(set(mine), key=lambda name: hashlib.sha256(f'split 1 {name}'.encode()).digest()):
            parts[pattern] = ('test' if seen < TEST * len(mine) else 'dev' if seen < (TEST + DEV) * len(mine) else 'train')
            seen += mine.count(pattern)
    return parts
