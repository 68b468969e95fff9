"""The tokenizer, SentencePiece with a unigram model, and the part of its vocabulary that is kept. The runtime's
adapters/scorer/tokens.ts does the same; reference.json holds the two together."""
import re
import unicodedata
from collections import Counter

import numpy as np

START, END, UNKNOWN, FIRST_PIECE = 0, 2, 3, 4
UNKNOWN_PENALTY = 10
LONGEST = 128
WORD_START = '\u2581'
# What JavaScript takes for blanks
GAP = re.compile('[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+')
DROPPED = re.compile('[\x00-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]')
BLANKS = re.compile(f'[\u200b-\u200f{WORD_START}\ufeff\ufffd]')


class Tokenizer:
    """The most probable cut of each word into pieces (Kudo 2018, arXiv:1804.10959)."""

    def __init__(self, vocabulary: list[list]):
        self.pieces = {piece: (score, i) for i, (piece, score) in enumerate(vocabulary) if i >= FIRST_PIECE}
        self.longest = max(map(len, self.pieces))
        self.unknown = min(score for score, _ in self.pieces.values()) - UNKNOWN_PENALTY
        self.cuts: dict[str, list[int]] = {}

    def encode(self, text: str, longest: int = LONGEST) -> list[int]:
        """Ids between the marks of start and end, `longest` at most with them; unknown pieces in a row count once."""
        ids = [START]
        for word in words_of(text):
            for piece in self.cut(WORD_START + word):
                if piece != UNKNOWN or ids[-1] != UNKNOWN:
                    ids.append(piece)
        return [*ids[:longest - 1], END]

    def cut(self, word: str) -> list[int]:
        if word not in self.cuts:
            self.cuts[word] = self.best_cut(word)
        return self.cuts[word]

    def best_cut(self, word: str) -> list[int]:
        """Viterbi: best[end] = (score, start, id) of the best cut of word[:end]; of equals the shorter last piece wins."""
        best = [(0.0, 0, UNKNOWN)]
        for end in range(1, len(word) + 1):
            best.append((best[end - 1][0] + self.unknown, end - 1, UNKNOWN))
            for start in range(max(0, end - self.longest), end):
                score, piece = self.pieces.get(word[start:end], (None, 0))
                if score is not None and best[start][0] + score >= best[end][0]:
                    best[end] = (best[start][0] + score, start, piece)
        ids, end = [], len(word)
        while end > 0:
            _, end_before, piece = best[end]
            ids.append(piece)
            end = end_before
        return ids[::-1]


def words_of(text: str) -> list[str]:
    plain = lambda raw: unicodedata.normalize('NFKC', BLANKS.sub(' ', DROPPED.sub('', raw)))
    return [word for raw in GAP.split(text) for word in GAP.split(plain(raw)) if word]


def softened(text: str) -> str:
    """Mostly capitals: in lower case, as the runtime reads it."""
    return text.lower() if sum(map(str.isupper, text)) > 0.7 * sum(map(str.isalpha, text)) else text


# How many pieces of each script are kept, counting those that must be; the most frequent first
QUOTAS = {'latin': 18500, 'cyrillic': 2900, 'arabic': 3200, 'devanagari': 1800, 'bengali': 1500, 'cjk': 5200, 'other': 1300}
CJK = {'CJK', 'HIRAGANA', 'KATAKANA', 'KATAKANA-HIRAGANA', 'IDEOGRAPHIC'}
OTHER_LATIN = set('ăâîșțşţğıśłźżąęćńřěůďťňőűāēīūļķņģšžčđėįųộ')


def script_of(piece: str) -> str | None:
    """Script of a piece that the languages of the scorer use, `other` for one without letters, None for all else."""
    letters = [c for c in piece if c.isalpha() or unicodedata.category(c)[0] == 'M']
    if not letters:
        return 'other'
    names = {unicodedata.name(c, '?').split()[0] for c in letters}
    if names == {'LATIN'}:
        return 'latin' if max(map(ord, piece.strip(WORD_START))) < 0x180 and not OTHER_LATIN & set(piece.lower()) else None
    if names == {'CYRILLIC'}:
        return 'cyrillic' if all(0x410 <= ord(c) < 0x450 or c in 'ёЁ' for c in piece if c.isalpha()) else None
    if names <= CJK:
        return 'cjk'
    return next((script for script in ('arabic', 'devanagari', 'bengali') if names == {script.upper()}), None)


def kept(pieces: list[str], scores: np.ndarray, words: list[str], texts: list[str]) -> np.ndarray:
    """Ids of the pieces to keep, in order: those of frequent English words and of the training texts, single characters,
    and the most frequent of each script up to its quota."""
    whole, scripts = Tokenizer(list(zip(pieces, scores.tolist()))), [script_of(piece) for piece in pieces]
    keep = {0, 1, 2, 3} | {i for i, piece in enumerate(pieces) if is_character(piece, scripts[i])}
    keep |= {i for word in words for form in (word, word.capitalize()) for i in whole.cut(WORD_START + form)}
    keep |= {i for text in texts for i in whole.encode(text)}
    count = Counter(scripts[i] for i in keep)
    for i, script in enumerate(scripts):
        if i not in keep and count[script] < QUOTAS.get(script, 0) and (script != 'other' or common(pieces[i])):
            keep.add(i)
            count[script] += 1
    return np.array(sorted(keep))


def common(piece: str) -> bool:
    """Signs of our scripts, and emojis."""
    return all(ord(c) < 0x3100 or ord(c) > 0x1f000 for c in piece)


def is_character(piece: str, script: str | None) -> bool:
    bare = piece.strip(WORD_START)
    if len(bare) != 1:
        return False
    return script in ('latin', 'cyrillic', 'arabic', 'devanagari', 'bengali') or 0x3040 <= ord(bare) < 0x3100 or (
        script == 'other' and ord(bare) < 0x3100)
