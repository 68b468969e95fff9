"""The shipped scorer, VADER and AFINN on public sets and on the dev part of ours. Public: sentences with the mean of twenty people's ratings from -4 to 4, of the
VADER paper (Hutto and Gilbert 2014), in the source archive of vaderSentiment 3.3.2 (MIT). Prints Markdown.

    python public.py <folder hutto_ICWSM_2014>      needs vaderSentiment and afinn beside requirements.txt

VADER was made with these sets at hand; the scorer has seen words of its lexicon, none of them. Negative below -0.5, positive above 0.5."""
import json
import sys
from pathlib import Path

import numpy as np
import onnx
from afinn import Afinn
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from labels import HERE, settled
from model import Scorer

SETS = {'nytEditorialSnippets': 'editorials of a newspaper', 'tweets': 'tweets', 'amazonReviewSnippets': 'reviews of products'}
# Every fourth from the first on was looked at, to see what goes wrong
EVERY, FROM = 4, 1
NEUTRAL = 0.5


def rated(file: Path) -> list[tuple[str, float]]:
    lines = [line.split('\t', 2) for line in file.read_text('utf-8', errors='replace').splitlines()]
    return [(text, float(mean)) for _, mean, text in lines][FROM::EVERY]


def main(folder: Path) -> None:
    scorer = Scorer(onnx.load(HERE.parent / 'scorer.onnx'), json.loads((HERE.parent / 'vocabulary.json').read_text()))
    vader, afinn = SentimentIntensityAnalyzer(), Afinn()
    say = {'this scorer': lambda text: ours(scorer, text), 'VADER': lambda text: theirs(vader.polarity_scores(text)['compound'], 0.05),
           'AFINN': lambda text: theirs(afinn.score(text), 0.5)}
    sets = [(what, rated(folder / f'{name}_GroundTruth.txt'), NEUTRAL) for name, what in SETS.items()]
    labelled = [(row['text'], float(row['sentiment'])) for row in settled() if row['part'] == 'dev' and row['lang'] == 'en']
    print('| Set | Sentences | | Accuracy | Correlation with the ratings |\n|---|---|---|---|---|')
    for what, rows, neutral in [*sets, ('our labelled set, dev part, English', labelled, 0)]:
        truth = [int(np.sign(mean)) if abs(mean) > neutral else 0 for _, mean in rows]
        for who, judge in say.items():
            told = [judge(text) for text, _ in rows]
            right = np.mean([sentiment == t for (sentiment, _), t in zip(told, truth)])
            r = np.corrcoef([polarity for _, polarity in told], [mean for _, mean in rows])[0, 1]
            print(f'| {what} | {len(rows)} | {who} | {right:.2f} | {r:.2f} |')


def ours(scorer: Scorer, text: str) -> tuple[int, float]:
    p = scorer.read(text)['probabilities']
    return int(p.argmax()) - 1, float(p[2] - p[0])


def theirs(score: float, least: float) -> tuple[int, float]:
    return (int(np.sign(score)) if abs(score) >= least else 0), score


if __name__ == '__main__':
    main(Path(sys.argv[1]))
