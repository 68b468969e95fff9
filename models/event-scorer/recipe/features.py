"""Text -> what the graph takes in: token ids, word ids and lexicon features. The runtime's TypeScript does the same."""
import math
import re
import unicodedata

import numpy as np

MAX_TOKENS, UNKNOWN, FIRST_PIECE = 128, 0, 6
UNKNOWN_PENALTY = 10
WORD, TERM = re.compile(r'[A-Za-z]+|[0-9]+'), re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?|[0-9]+(?:[.,][0-9]+)*%?")


class Tokenizer:
    """SentencePiece with a unigram model: the most probable cut of each word into pieces (Kudo 2018, arXiv:1804.10959)."""

    def __init__(self, vocabulary: list[list]):
        self.pieces = {piece: (score, i) for i, (piece, score) in enumerate(vocabulary) if i >= FIRST_PIECE}
        self.longest = max(map(len, self.pieces))
        self.unknown = min(score for score, _ in self.pieces.values()) - UNKNOWN_PENALTY

    def encode(self, text: str) -> list[int]:
        ids = []
        for word in unicodedata.normalize('NFKC', text).split():
            for piece in self.cut('\u2581' + word):
                if piece != UNKNOWN or not ids or ids[-1] != UNKNOWN:
                    ids.append(piece)
        return ids[:MAX_TOKENS] or [UNKNOWN]

    def cut(self, word: str) -> list[int]:
        """Viterbi: best[end] = (score, start, id) of the best cut of word[:end]; of equals the shorter last piece wins."""
        best = [(0.0, 0, 0)]
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


class Words:
    """Ids of the words that have a vector; the id after the last one is a vector of zeros for a text without any."""

    def __init__(self, words: list[str]):
        self.ids, self.none = {word: i for i, word in enumerate(words)}, len(words)

    def encode(self, text: str) -> list[int]:
        found = (self.ids.get(word.lower()) for word in WORD.findall(text))
        return [i for i in found if i is not None] or [self.none]


def squash(x: float, bend: float) -> float:
    """x on (-1, 1), half way at about sqrt(bend / 3)."""
    return x / math.sqrt(x * x + bend)


class Lexicon:
    """The 14 lexicon features; the order is the order of the head's weights."""

    NEGATED, REACH = -0.74, 3

    def __init__(self, data: dict):
        self.everyday, self.market = data['everyday'], data['market']
        self.negations, self.rising, self.falling, self.harmful, self.large = (
            set(data[name]) for name in ('negations', 'rising', 'falling', 'harmful', 'large'))

    def sign(self, terms: list[str], i: int) -> float:
        before = terms[max(0, i - self.REACH):i]
        return self.NEGATED if any(t in self.negations or t.endswith("n't") for t in before) else 1.0

    def features(self, text: str) -> list[float]:
        terms = [term.lower() for term in TERM.findall(text)]
        signs = [self.sign(terms, i) for i in range(len(terms))]
        everyday = [self.everyday.get(t, 0) * s for t, s in zip(terms, signs)]
        market = [self.market.get(t, 0) * s for t, s in zip(terms, signs)]
        good, bad = sum(max(v, 0) for v in everyday), sum(max(-v, 0) for v in everyday)
        up, down = sum(max(v, 0) for v in market), sum(max(-v, 0) for v in market)
        trend = math.tanh(sum(t in self.rising for t in terms) - sum(t in self.falling for t in terms))
        harmful = any(t in self.harmful for t in terms)
        percent = math.log1p(max([float(t[:-1].replace(',', '')) for t in terms if t.endswith('%')] or [0])) / 5
        return [
            squash(sum(everyday), 15), squash(up - down, 15),
            good / (good + 4), bad / (bad + 4), up / (up + 4), down / (down + 4),
            trend, -trend if harmful else trend, float(harmful), percent, percent * trend,
            float(any(t in self.large for t in terms)), float(any(t in self.negations for t in terms)),
            math.log1p(len(terms)) / 4,
        ]


class Reader:
    """Turns a text into the inputs of the graph."""

    def __init__(self, vocabulary: list[list], words: list[str], lexicon: dict):
        self.tokenizer, self.words, self.lexicon = Tokenizer(vocabulary), Words(words), Lexicon(lexicon)

    def inputs(self, text: str) -> dict[str, np.ndarray]:
        return {
            'tokens': np.array(self.tokenizer.encode(text), np.int64),
            'words': np.array(self.words.encode(text), np.int64),
            'lexicon': np.array(self.lexicon.features(text), np.float32),
        }
