"""The tokenizer, SentencePiece with a unigram model, and the part of its vocabulary that is kept. The runtime's
adapters/scorer/tokens.ts and words.ts do the same; reference.json holds the two together."""
import re
import unicodedata
from collections import Counter

import numpy as np

START, END, UNKNOWN, FIRST_PIECE = 0, 2, 3, 4
UNKNOWN_PENALTY = 10
LONGEST = 128
WORD_START = '\u2581'
# What JavaScript takes for blanks, and what stands between them
GAP = re.compile('[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+')
CHUNK = re.compile(GAP.pattern.replace('[', '[^', 1))
DROPPED = re.compile('[\x00-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]')
BLANKS = re.compile(f'[\u200b-\u200f{WORD_START}\ufeff\ufffd]')
# What says nothing: HTML's markup, quotation marks, bullets and rules at either end, a full stop or exclamation marks at the end,
# brackets around all
TAGS = ('a|abbr|address|article|aside|b|big|blockquote|body|br|button|caption|center|cite|code|col|colgroup|dd|del|details|div|dl|dt|em|'
        'figcaption|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|label|li|link|main|mark|meta|nav|ol|option|'
        'p|pre|q|s|samp|section|select|small|span|strike|strong|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|time|title|tr|'
        'tt|u|ul|video|wbr')
MARKUP = re.compile(r'<!--.*?(?:-->|\Z)|<(script|style)\b[^<>]*>.*?(?:</\1\s*>|\Z)|<!doctype[^<>]*>|</?(?:' + TAGS + r')(?:[\s/][^<>]*)?>'
                    '|&lt;/?(?:' + TAGS + r')(?:[\s/](?:[^<>&]|&(?![lg]t;))*)?&gt;'
                    '|&(?:amp;)?(?:nbsp|quot|[lr][ds]quo|#160|#34);', re.A | re.I | re.S)
ENTITY = re.compile(r'&(?:#([0-9]{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,6}));', re.A | re.I)
ENTITIES = {'amp': '&', 'lt': '<', 'gt': '>', 'apos': "'", 'euro': '\u20ac', 'ndash': '\u2013', 'mdash': '\u2014', 'hellip': '\u2026'}
QUOTES = re.compile('["\u201c-\u201f\u00ab\u00bb\u2039\u203a\u300c-\u300f]')
AROUND = re.compile('^[\'\u2018-\u201b`*\u2022\u00a1]+|(?<![\'\u2018-\u201b`*])[\'\u2018-\u201b`*]+$')
MARKS = re.compile('[-\u2013\u2014\u00b7>#|=~_]+')
LAST = re.compile('(?:(?<!\\.)\\.|(?<!!)!+|[\u3002\u0964\u06d4])$')
BRACKETS = {'(': ')', '[': ']', '{': '}'}


class Tokenizer:
    """The most probable cut of each word into pieces (Kudo 2018, arXiv:1804.10959)."""

    def __init__(self, vocabulary: list[list]):
        self.pieces = {piece: (score, i) for i, (piece, score) in enumerate(vocabulary) if i >= FIRST_PIECE}
        self.longest = max(map(len, self.pieces))
        self.unknown = min(score for score, _ in self.pieces.values()) - UNKNOWN_PENALTY
        self.cuts: dict[str, list[int]] = {}

    def encode(self, text: str, longest: int = LONGEST) -> list[int]:
        """Ids between the marks of start and end, `longest` at most with them."""
        return [START, *(piece for _, piece in self.placed(text)[:longest - 2]), END]

    def placed(self, text: str) -> list[tuple[int, int]]:
        """[(where what stands between blanks starts, id of a piece of it)]; unknown pieces in a row count once."""
        found: list[tuple[int, int]] = []
        for start, word in words_of(text):
            for piece in self.cut(WORD_START + word):
                if piece != UNKNOWN or not found or found[-1][1] != UNKNOWN:
                    found.append((start, piece))
        return found

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


def words_of(text: str) -> list[tuple[int, str]]:
    """Words in compatibility form without what says nothing, and where what stands between blanks around each starts."""
    words = [(chunk.start(), unquoted(word)) for chunk in CHUNK.finditer(text) for word in GAP.split(plain(chunk.group()))]
    words = [(start, word) for start, word in words if word]
    while words and MARKS.fullmatch(words[0][1]) and not (len(words) > 1 and words[1][1][0].isdecimal()):
        words.pop(0)
    while words and (MARKS.fullmatch(words[-1][1]) or not LAST.sub('', words[-1][1])):
        words.pop()
    return unstopped(unbracketed(unstopped(words)))


def unquoted(word: str) -> str:
    return AROUND.sub('', QUOTES.sub('', word))


def unstopped(words: list[tuple[int, str]]) -> list[tuple[int, str]]:
    return [*words[:-1], *((start, bare) for start, word in words[-1:] if (bare := AROUND.sub('', LAST.sub('', word))))]


def unbracketed(words: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Without brackets where the one that opens the first word is closed by the end of the last."""
    text = ' '.join(word for _, word in words)
    close = BRACKETS.get(text[:1])
    if not close or text.find(close) != len(text) - 1:
        return words
    words[0] = (words[0][0], words[0][1][1:])
    words[-1] = (words[-1][0], words[-1][1][:-1])
    return [(start, word) for start, word in words if word]


def plain(raw: str) -> str:
    return unicodedata.normalize('NFKC', BLANKS.sub(' ', DROPPED.sub('', ENTITY.sub(character, raw))))


def character(found: re.Match) -> str:
    """What an entity stands for; itself where that is not known."""
    decimal, hexadecimal, name = found.groups()
    if name:
        return ENTITIES.get(name.lower(), found.group())
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if code < 0xd800 or 0xdfff < code else found.group()


def softened(text: str) -> str:
    """As the runtime reads it: blanks for markup and for entities that are blanks or quotation marks, mostly capitals in lower case."""
    text = MARKUP.sub(lambda found: ' ' * len(found.group()), text)
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
