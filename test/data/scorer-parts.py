"""
Writes scorer-parts.json: how the scorer's recipe settles and splits the labelled texts, to hold the bench to it. For each part
the number of texts, sha256 of their sorted ids, and of the sorted lines "id sentiment importance". Needs Python 3 alone.

    python3 -B test/data/scorer-parts.py > test/data/scorer-parts.json
"""
import hashlib
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'models' / 'event-scorer' / 'recipe'))
from labels import settled  # noqa: E402


def digest(lines):
    return hashlib.sha256('\n'.join(sorted(lines)).encode()).hexdigest()


rows = settled()
parts = {part: [row for row in rows if row['part'] == part] for part in ('train', 'dev', 'test')}
json.dump({part: {'texts': len(mine), 'ids': digest(row['id'] for row in mine),
                  'labels': digest(f'{row["id"]} {row["sentiment"]} {row["importance"]}' for row in mine)}
           for part, mine in parts.items()}, sys.stdout, indent=1)
print()
