"""Makes the files of the event scorer from a trained student: calibration -> ONNX, vocabulary, manifest, reference numbers and report.
Run it through make.sh."""
import hashlib
import json
import pickle
import sys
from pathlib import Path

import onnx

import calibrate
import evaluate
import explain
import extra
import ingredients
import labels
import learn
import report
import smooth
import topics
from labels import check, HERE
from model import Scorer
from patterns import labelled
from pieces import softened, Tokenizer
from scorer_graph import scorer_graph
from scores import FORMULAS, scores

TARGET = HERE.parent
FILES = {'model': 'scorer.onnx', 'vocabulary': 'vocabulary.json'}
REFERENCE_TEXTS, PER_LANGUAGE = 60, 7
ODD_TEXTS = [
    'Ransomware encrypts the booking system \U0001f480\U0001f480', 'Caf\u00e9 reopens after na\u00efve mistake',
    '\u0627\u0644\u0633\u0644\u0627\u0645: all hospitals back to normal work',
    'ﬁnal ﬁgures:   output fell 12.5%\n\tafter the strike', "Profit didn't fall, costs weren't cut and nobody can't pay",
    'Sales up 1,250% \u2014 record, massive, worldwide', 'x', '\u65b0\u5de5\u5834\u304c\u7a3c\u50cd power plant restarted',
    'zero\u200bwidth\u200djoined \u00a0 blanks\u3000here', '\uff26\uff55\uff4c\uff4c width \u2460\u2461 \u338f \u00bd',
    '<p>&quot;Fire&quot; &#8212; (all out).</p>', '- **\u092e\u093f\u0932 \u092e\u0947\u0902 \u0906\u0917\u0964**', '[\u00a1Fuego!]',
    "\u201c\u2018Mill shut\u2019, says union\u201d.", '- 5 % fewer orders <br>n/a',
]


def main(work: Path, student: Path) -> None:
    ship(learn.slimmed(pickle.loads(student.read_bytes())), ingredients.fetched(work, ingredients.TEACHER).parent)


def ship(found: dict, teacher: Path) -> None:
    """found: what train.py left; teacher: the folder of the topics' teacher."""
    rows = labels.settled()
    part = lambda name: [row for row in rows if row['part'] == name]
    weights, tokenizer = found['weights'], Tokenizer(found['vocabulary'])
    heads = calibrate.calibrated(part('dev'), weights, found['heads'], tokenizer)
    heads |= explain.fit(part('train'), weights, found['heads'], tokenizer)
    texts = learn.topic_texts(found['rows'])
    wanted = topics.wanted([softened(text) for text in texts], teacher)
    heads |= topics.fit(texts, wanted, learn.domain_texts(found['rows']), weights, found['vocabulary'])
    model = scorer_graph(weights, heads, smooth.divisors(weights, tokenizer))
    scorer = Scorer(model, found['vocabulary'])
    measured = measure(scorer, part)
    write(model, found['vocabulary'], measured)
    (TARGET / 'reference.json').write_text(json.dumps(reference(scorer, rows), indent=1, ensure_ascii=False) + '\n')
    (TARGET / 'REPORT.md').write_text(report.report(scorer, part, measured))


def measure(scorer: Scorer, part) -> dict:
    read = {name: evaluate.readings_of(scorer, part(name)) for name in ('dev', 'test')}
    aside = [{'text': row.text, 'sentiment': row.sentiment, 'importance': row.importance} for row in labelled('heldout.txt')]
    aside = evaluate.readings_of(scorer, aside)
    return {
        **{name: evaluate.summary(scorer, rows) for name, rows in read.items()},
        'older_texts_kept_aside': {'texts': len(aside), 'sentiment_accuracy': round(evaluate.accuracy(aside), 3),
                                   'importance_r': round(evaluate.importance_r(aside), 3)},
        'plain_speech': evaluate.summary(scorer, evaluate.readings_of(scorer, extra.exam_rows())),
        'kinds': evaluate.summary(scorer, evaluate.readings_of(scorer, extra.kinds_rows())),
        'relevance': evaluate.relevance(scorer, read['test'], part('train')),
        'reasons': evaluate.faithfulness(scorer, read['test'][::4]),
    }


def write(model: onnx.ModelProto, vocabulary: list[list], measured: dict) -> None:
    contents, files = {'model': model.SerializeToString(), 'vocabulary': packed(vocabulary)}, {}
    for role, name in FILES.items():
        (TARGET / name).write_bytes(contents[role])
        files[role] = {'file': name, 'bytes': len(contents[role]), 'sha256': hashlib.sha256(contents[role]).hexdigest()}
    lines = [f'{role} {files[role]["sha256"]}' for role in FILES] + [f'formulas {FORMULAS}']
    version = 'es-' + hashlib.sha256('\n'.join(lines).encode()).hexdigest()[:12]
    ours = [{'package': None, 'licence': 'Apache-2.0', 'use': 'labelled texts, texts for training, patterns, turns, heads, all that was trained',
             'origin': 'written and trained for this project (data, recipe/data)'},
            {'package': None, 'licence': 'PDDL 1.0', 'use': 'recipe/data/words.txt: which pieces of the vocabulary stay',
             'origin': 'the most frequent words of GloVe 6B, Pennington, Socher and Manning 2014'},
            {'package': None, 'licence': 'MIT', 'use': 'recipe/data/feelings.txt: texts for training',
             'origin': 'words of the lexicon of VADER with their sign, Hutto and Gilbert 2014'}]
    manifest = {'name': 'event-scorer', 'version': version, 'formulas': FORMULAS, 'files': files, 'measured': measured,
                'ingredients': [*ingredients.PACKAGES, *ours]}
    (TARGET / 'manifest.json').write_text(json.dumps(manifest, indent=2) + '\n')
    print(json.dumps({'version': version, 'measured': measured}, indent=2))


def packed(data) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(',', ':')).encode()


def reference(scorer: Scorer, rows: list[dict]) -> list[dict]:
    """Texts of many scripts with their tokens and scores; every other one read by a workspace with a profile."""
    workspaces = json.loads((HERE / 'data' / 'profiles.json').read_text())['workspaces']
    profiles = [{'description': w['description'], 'phrases': w['phrases']} for w in workspaces]
    texts = ODD_TEXTS + [row.text for row in labelled('heldout.txt')][:REFERENCE_TEXTS]
    texts += [row['text'] for lang in sorted(check.SCRIPTS) for row in [
        row for row in rows if row['lang'] == lang and len(row['text']) <= 320][:PER_LANGUAGE]]
    chosen = [profiles[i // 2 % len(profiles)] if i % 2 else None for i in range(len(texts))]
    return [{'text': t, 'tokens': scorer.tokenizer.encode(softened(t)), 'profile': p, 'scores': scores(scorer, t, p)}
            for t, p in zip(texts, chosen)]


if __name__ == '__main__':
    main(*(Path(path).resolve() for path in sys.argv[1:]))
