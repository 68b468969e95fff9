"""From the sources to what training begins with: texts without leaks, vocabulary, topics."""
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import around
import extra
import frozen
import leaks
from labels import HERE, settled
from pieces import kept, softened, Tokenizer
from texts import EXTRA_WEIGHT, made_texts, names_in

SHIPPED = 31600


@dataclass
class Material:
    """rows: of all training texts; chosen, vocabulary: ids of the pieces that are kept, [piece, log probability] of each; topics: of
    the texts, [n, width]."""
    rows: list[dict]
    chosen: np.ndarray
    vocabulary: list[list]
    topics: np.ndarray


def vocabulary_of(pieces: list[str], scores: np.ndarray, texts: list[str]) -> tuple[np.ndarray, list[list]]:
    """Ids of the pieces that are kept, and [piece, log probability] of each."""
    words = (HERE / 'data' / 'words.txt').read_text().split()
    chosen = kept(pieces, scores, words, texts)
    return chosen, [[pieces[i], round(float(scores[i]), 4)] for i in chosen]


def training_rows(source: tuple, work: Path, folder: Path) -> list[dict]:
    """The training part of the labelled set, the texts for training only and the made ones, none of them like one that is judged by;
    and some of these among sentences that are no news."""
    others = [{**row, 'weight': EXTRA_WEIGHT} for row in extra.extra_rows(folder)] + made_texts()
    rows = [row for row in settled() if row['part'] == 'train'] + leaks.without_leaks(source, others, work)
    return rows + around.surrounded(rows)


def material(source: tuple, work: Path, folder: Path = extra.FOLDER) -> Material:
    """source: pieces, scores and tensors of the encoder; folder: of the texts for training only. What stands around a text is not what it
    is about."""
    rows = training_rows(source, work, folder)
    chosen, vocabulary = vocabulary_of(*source[:2], [softened(row['text']) for row in rows if 'lang' in row])
    return Material(rows, chosen, vocabulary, frozen.directions(source, [row.get('about', row['text']) for row in rows], work))


def slimmed(found: dict) -> dict:
    """The file has to stay small: single characters, pieces that at least two training texts hold, and of the others the most
    frequent ones. Texts with pieces that are gone are cut into shorter ones."""
    vocabulary, tokenizer = found['vocabulary'], Tokenizer(found['vocabulary'])
    holders = Counter(i for row in found['rows'] if 'about' not in row for i in set(tokenizer.encode(softened(row['text']))))
    always = {0, 1, 2, 3} | {i for i, (piece, _) in enumerate(vocabulary) if len(piece) == 1 or holders[i] > 1}
    others = sorted(set(range(len(vocabulary))) - always, key=lambda i: (-vocabulary[i][1], i))
    stay = sorted([*always, *others[:max(0, SHIPPED - len(always))]])
    weights = {**found['weights'], 'pieces': found['weights']['pieces'][stay]}
    return {**found, 'weights': weights, 'vocabulary': [vocabulary[i] for i in stay]}


def topic_texts(rows: list[dict]) -> list[str]:
    """What the topics are fitted on, for profiles are made of it: every other English training text, names of targets, words."""
    words = (HERE / 'data' / 'words.txt').read_text().split()
    rows = [row for row in rows if 'about' not in row]
    english = [row['text'] for row in rows if (row['lang'] == 'en' if 'lang' in row else row['text'].isascii())]
    return english[::2] + names_in(rows) + words[200:8000:4]


def domain_texts(rows: list[dict]) -> list[dict]:
    """Every fourth text whose domain is known."""
    return [row for row in rows if 'domain' in row and 'about' not in row][::4]
