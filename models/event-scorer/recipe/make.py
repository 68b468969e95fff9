"""Makes the event scorer: ingredients -> features -> heads -> ONNX, word files, manifest and reference numbers.
Run it through make.sh."""
import hashlib
import json
import sys
from pathlib import Path

import numpy as np

import evaluate
import heads
import ingredients
from features import Reader
from model import features_of, Scorer
from patterns import DATA, labelled, Row, training_rows
from scorer_graph import feature_graph, scorer_graph
from scores import FORMULAS, scores

TARGET = Path(__file__).resolve().parent.parent
FILES = {'model': 'scorer.onnx', 'vocabulary': 'vocabulary.json', 'lexicon': 'lexicon.json', 'words': 'words.json'}
WORDS = 30000
TERM_VALENCE = 1.0
REFERENCE_TEXTS = 72
ODD_TEXTS = [
    'Ransomware encrypts the booking system \U0001f480\U0001f480', 'Caf\u00e9 reopens after na\u00efve mistake',
    '\u0627\u0644\u0633\u0644\u0627\u0645: all hospitals back to normal work',
    'ﬁnal ﬁgures:   output fell 12.5%\n\tafter the strike', "Profit didn't fall, costs weren't cut and nobody can't pay",
    'Sales up 1,250% \u2014 record, massive, worldwide', 'x', '\u65b0\u5de5\u5834\u304c\u7a3c\u50cd power plant restarted',
]


def main(work: Path) -> None:
    folders = ingredients.fetch(work)
    weights = ingredients.encoder_weights(folders[ingredients.ENCODER])
    vocabulary = ingredients.vocabulary(folders[ingredients.ENCODER])
    words, vectors = ingredients.word_vectors(folders[ingredients.VECTORS], WORDS)
    lexicon = ingredients.lexicon(folders[ingredients.VADER], folders[ingredients.AFINN])
    reader = Reader(vocabulary, words, lexicon)
    trained, measured = train(feature_graph(weights, vectors), reader, lexicon, words)
    model = scorer_graph(weights, vectors, trained)
    scorer = Scorer(model, reader)
    measured |= {'relevance': evaluate.relevance(scorer), 'reasons': evaluate.faithfulness(scorer, labelled('heldout.txt'))}
    contents = {'vocabulary': packed(vocabulary), 'lexicon': packed(lexicon), 'words': packed(words)}
    write({'model': model.SerializeToString(), **contents}, measured)
    (TARGET / 'reference.json').write_text(json.dumps(reference(scorer), indent=1) + '\n')


def train(graph, reader: Reader, lexicon: dict, words: list[str]) -> tuple[heads.Heads, dict]:
    rows, aside = training_rows(), labelled('heldout.txt')
    terms, valence = lexicon_terms(lexicon, words)
    texts, aside_features, term_features = (
        features_of(texts, graph, reader) for texts in ([r.text for r in rows], [r.text for r in aside], terms))
    sentiment, importance = np.array([r.sentiment for r in rows]), np.array([r.importance for r in rows])
    weight = pattern_weights(rows)
    fit = lambda chosen: heads.train(
        texts.rows(chosen), sentiment[chosen], importance[chosen], weight[chosen], term_features, valence)
    trained = fit(np.full(len(rows), True))
    return trained, {
        'unseen_patterns': evaluate.cross_validated(rows, texts, fit),
        'training_texts': evaluate.seen(rows, texts, trained),
        'texts_kept_aside': evaluate.seen(aside, aside_features, trained),
    }


def lexicon_terms(lexicon: dict, words: list[str]) -> tuple[list[str], np.ndarray]:
    """Words that have a vector and a clear valence in the lexicons, with its sign."""
    known, found = set(words), {}
    for table in (lexicon['everyday'], lexicon['market']):
        for word in table.keys() & known:
            found.setdefault(word, []).append(table[word])
    clear = [word for word in sorted(found) if abs(np.mean(found[word])) >= TERM_VALENCE]
    return clear, np.array([int(np.sign(np.mean(found[word]))) for word in clear])


def pattern_weights(rows: list[Row]) -> np.ndarray:
    """A pattern's weight grows with the root of the number of its texts: they are not independent. Mean 1."""
    counts = np.bincount([row.group for row in rows])
    weight = np.array([counts[row.group] ** -0.5 for row in rows])
    return weight / weight.mean()


def packed(data) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(',', ':')).encode()


def write(contents: dict[str, bytes], measured: dict) -> None:
    files = {}
    for role, name in FILES.items():
        (TARGET / name).write_bytes(contents[role])
        files[role] = {'file': name, 'bytes': len(contents[role]), 'sha256': hashlib.sha256(contents[role]).hexdigest()}
    lines = [f'{role} {files[role]["sha256"]}' for role in FILES] + [f'formulas {FORMULAS}']
    version = 'es-' + hashlib.sha256('\n'.join(lines).encode()).hexdigest()[:12]
    ours = {'package': None, 'licence': 'Apache-2.0', 'use': 'training patterns, texts kept aside, cue words, heads',
            'origin': 'written for this project (recipe/data)'}
    manifest = {'name': 'event-scorer', 'version': version, 'formulas': FORMULAS, 'files': files, 'measured': measured,
                'ingredients': [*ingredients.PACKAGES, ours]}
    (TARGET / 'manifest.json').write_text(json.dumps(manifest, indent=2) + '\n')
    print(json.dumps({'version': version, 'measured': measured}, indent=2))


def reference(scorer: Scorer) -> list[dict]:
    """Texts with their scores; every other one read by a workspace with a profile."""
    workspaces = json.loads((DATA / 'profiles.json').read_text())['workspaces']
    profiles = [{'description': w['description'], 'phrases': w['phrases']} for w in workspaces]
    texts = ODD_TEXTS + [row.text for row in labelled('heldout.txt')][:REFERENCE_TEXTS]
    chosen = [profiles[i // 2 % len(profiles)] if i % 2 else None for i in range(len(texts))]
    return [{'text': t, 'profile': p, 'scores': scores(scorer, t, p)} for t, p in zip(texts, chosen)]


if __name__ == '__main__':
    main(Path(sys.argv[1]).resolve())
