"""How a trained file reads the dev part and the older texts that were never trained on, as it is and in whole numbers, as it would be
shipped. The test part is left alone.

    python judge.py FILE ..."""
import pickle
import sys
from pathlib import Path

import numpy as np

import extra
import quality
import smooth
from heads import predictions
from labels import settled
from model import Scorer
from patterns import labelled
from pieces import Tokenizer
from scorer_graph import scorer_graph


def whole_numbers(found: dict) -> Scorer:
    """The graph, what is fitted after training left empty."""
    weights, heads = found['weights'], found['heads']
    width, count = weights['norm'].size, len(weights['pieces'])
    empty = lambda *shape: np.zeros(shape, np.float32)
    fitted = {'temperature': np.float32(1), 'rarity': empty(count), 'topic': empty(4 * width, width), 'topic_mean': empty(width),
              'effects': empty(width, 2), 'effects_bias': empty(2)}
    divisors = smooth.divisors(weights, Tokenizer(found['vocabulary']))
    return Scorer(scorer_graph(weights, {**heads, **fitted}, divisors), found['vocabulary'])


def shipped(rows: list[dict], scorer: Scorer) -> dict:
    read = [scorer.read(row['text']) for row in rows]
    signs = [np.sign(own['course'] @ scorer.read(target['target'])['quantity']) == target['sign']
             for row, own in zip(rows, read) for target in row['targets']]
    return quality.summary(rows, np.array([own['probabilities'].argmax() - 1 for own in read]),
                           np.array([own['importance'][0] for own in read]), signs)


def older(found: dict) -> float:
    rows = [{'text': row.text, 'sentiment': row.sentiment} for row in labelled('heldout.txt')]
    text = quality.vectors_of(rows, found['weights'], found['heads'], Tokenizer(found['vocabulary']))
    said = predictions(found['heads'], text)[0].argmax(1) - 1
    return round(float(np.mean(said == [row['sentiment'] for row in rows])), 3)


if __name__ == '__main__':
    dev = [row for row in settled() if row['part'] == 'dev']
    for file in map(Path, sys.argv[1:]):
        found = pickle.loads(file.read_bytes())
        print(f'{file.name}: dev {quality.quality(dev, found["weights"], found["heads"], Tokenizer(found["vocabulary"]))}')
        print(f'  in whole numbers {shipped(dev, whole_numbers(found))}\n  older texts {older(found)}')
        print(f'  plain speech {shipped(extra.exam_rows(), whole_numbers(found))}', flush=True)
