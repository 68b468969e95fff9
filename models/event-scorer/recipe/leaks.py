"""Which texts for training only are too like a text that the scorer is judged by: of the dev or test part, of heldout.txt, of
plain-exam.txt, of kinds-exam.txt, of profiles.json, of workspaces.json.

    python leaks.py <work folder> [folder of texts]      prints what is dropped, and what comes next

Like in two ways, each enough. Words: Jaccard index of the runs of five characters of both texts, figures all alike. Meaning: cosine of
the whole encoder's vectors as they were fetched, without what all texts have in common."""
import json
import re
import sys
from pathlib import Path

import numpy as np

import e5
import extra
import frozen
import ingredients
from labels import HERE, settled
from patterns import labelled
from texts import made_texts

# Looked up in the list that this prints: above these nearly all are the same news in other words, below nearly none
RUN, WORDS, MEANING, NEXT = 5, 0.28, 0.75, 25


def judged_by() -> list[str]:
    profiles = json.loads((HERE / 'data' / 'profiles.json').read_text())
    spaces = profiles['workspaces'] + json.loads((HERE / 'data' / 'workspaces.json').read_text())
    return ([row['text'] for row in settled() if row['part'] != 'train'] + [row.text for row in labelled('heldout.txt')]
            + [row['text'] for row in extra.exam_rows() + extra.kinds_rows()]
            + [text for space in spaces for text in space['texts']] + profiles['irrelevant'])


def runs(text: str) -> set[str]:
    plain = re.sub(r'\d+([.,:]\d+)*', '0', text.casefold())
    plain = ' '.join(['', *re.findall(r'\w+', plain), ''])
    return {plain[i:i + RUN] for i in range(max(1, len(plain) - RUN + 1))}


def likest_words(texts: list[str], others: list[str]) -> list[tuple[float, int]]:
    """For each text the highest Jaccard index with one of the others, and its number."""
    holders: dict[str, list[int]] = {}
    sizes = []
    for j, other in enumerate(others):
        own = runs(other)
        sizes.append(len(own))
        for run in own:
            holders.setdefault(run, []).append(j)
    return [likest(runs(text), holders, np.array(sizes)) for text in texts]


def likest(own: set[str], holders: dict[str, list[int]], sizes: np.ndarray) -> tuple[float, int]:
    shared = np.zeros(len(sizes))
    for run in own:
        shared[holders.get(run, [])] += 1
    index = shared / (len(own) + sizes - shared)
    return float(index.max()), int(index.argmax())


def likest_meaning(source: tuple, texts: list[str], others: list[str], work: Path) -> list[tuple[float, int]]:
    every = frozen.directions(source, texts + others, work)
    cosine = every[:len(texts)] @ every[len(texts):].T
    return [(float(row.max()), int(row.argmax())) for row in cosine]


def compared(source: tuple, texts: list[str], work: Path) -> list[tuple[float, str, str]]:
    """For each text how far it is on the way to being dropped (1: is dropped), the way of being like, and the text it is like."""
    others = judged_by()
    ways = {'words': (likest_words(texts, others), WORDS), 'meaning': (likest_meaning(source, texts, others, work), MEANING)}
    each = [[(found[i][0] / least, f'{way} {found[i][0]:.2f}', others[found[i][1]]) for way, (found, least) in ways.items()]
            for i in range(len(texts))]
    return [max(both) for both in each]


def without_leaks(source: tuple, rows: list[dict], work: Path) -> list[dict]:
    """The rows whose texts are not too like; of equal texts the first."""
    rows = list({row['text']: row for row in reversed(rows)}.values())[::-1]
    found = compared(source, [row['text'] for row in rows], work)
    return [row for row, (near, _, _) in zip(rows, found) if near < 1]


def main(work: Path, folder: Path = extra.FOLDER) -> None:
    texts = [row['text'] for row in extra.extra_rows(folder) + made_texts()]
    found = compared(e5.read(ingredients.fetched(work, ingredients.ENCODER)), texts, work)
    order = sorted(range(len(texts)), key=lambda i: -found[i][0])
    gone = sum(near >= 1 for near, _, _ in found)
    print(f'{gone} of {len(texts)} texts are dropped')
    for number, i in enumerate(order[:gone + NEXT]):
        near, way, other = found[i]
        print(f'{"dropped" if near >= 1 else "stays  "} {way}: {texts[i]}\n{" " * 8}like {other}')


if __name__ == '__main__':
    main(*(Path(path).resolve() for path in sys.argv[1:3]))
