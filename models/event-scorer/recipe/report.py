"""REPORT.md: what the shipped scorer gets right and wrong on the part of the labelled set kept for the test, and on public
sets, with VADER and AFINN beside it."""
import math
from collections import Counter

import numpy as np

import evaluate
import extra
from evaluate import accuracy, importance_r, said, SIGNS
from labels import check
from model import Scorer
from scores import importance_of

WORST = 50


def report(scorer: Scorer, part, measured: dict) -> str:
    rows = evaluate.readings_of(scorer, part('test'))
    reversals = [row for row in rows if 'reversal' in row['tags']]
    features = sorted(check.FEATURES)
    having = lambda key, value: [row for row in rows if value in (row[key] if key == 'tags' else [row[key]])]
    return '\n'.join([
        '# How good the event scorer is', '',
        f'Made by `recipe/make.sh`. {len(rows)} texts of the labelled set ({len(reversals)} of them reversals), kept out of training '
        'and of every choice, by a hash of their patterns; accuracy has a standard error of '
        f'{100 * math.sqrt(accuracy(rows) * (1 - accuracy(rows)) / len(rows)):.1f} points. The texts and labels are our own, '
        'written to one guide: texts found in the wild are harder. By domain and kind these figures have, in earlier rounds, told which '
        'training texts to write next; no text of the part was looked at.', '',
        '## In short', '', *in_short(measured), '',
        '## Sentiment', '', *confusion(rows), '', 'Reversals only (most are good news: whoever always says positive is right there in '
        f'{np.mean([row["sentiment"] == 1 for row in reversals]):.2f}):', '', *confusion(reversals), '',
        '## By domain', '', *by('Domain', [(name, having('domain', name)) for name in check.DOMAINS]), '',
        '## By language', '', *by('Language', [(name, having('lang', name)) for name in sorted(check.SCRIPTS)]), '',
        '## By feature', '', *by('Feature', [(name, having('tags', name)) for name in features + check.STYLES]), '',
        '## Kinds that went wrong once', '', *by('Kind', by_kind(scorer)), '',
        '## Reliability', '', *reliability(rows), '', '## The worst mistakes', '', *worst(rows), ''])


def by_kind(scorer: Scorer) -> list[tuple[str, list[dict]]]:
    rows = evaluate.readings_of(scorer, extra.kinds_rows())
    return [(kind, [row for row in rows if row['kind'] == kind]) for kind in extra.KIND_NAMES]


def in_short(measured: dict) -> list[str]:
    test, dev = measured['test'], measured['dev']
    lines = [('sentiment, accuracy', 'sentiment_accuracy'), ('importance, r', 'importance_r')]
    table = ['| | dev | test |', '|---|---|---|', *(f'| {name} | {dev[key]} | {test[key]} |' for name, key in lines)]
    for name, key, value in (('English, accuracy', 'english', 'sentiment_accuracy'), ('reversals, accuracy', 'reversals', 'sentiment_accuracy'),
                             ('sign of stated targets', 'target_sign', 'accuracy')):
        table.append(f'| {name} | {dev[key][value]} | {test[key][value]} |')
    plain, kinds, relevance, reasons = (measured[name] for name in ('plain_speech', 'kinds', 'relevance', 'reasons'))
    table += [f'| plain speech ({plain["texts"]} texts of `recipe/data/plain-exam.txt`), accuracy | | {plain["sentiment_accuracy"]} |',
              f'| plain speech, sign of stated targets | | {plain["target_sign"]["accuracy"]} |',
              f'| kinds that went wrong once ({kinds["texts"]} texts of `recipe/data/kinds-exam.txt`), accuracy | | {kinds["sentiment_accuracy"]} |']
    table += [f'| relevance, {key.replace("_", " ")} | | {value} |' for key, value in relevance.items()]
    return table + [f'| reasons: words with an effect of 0.2 or more that move the log odds as said when taken out ({reasons["words"]} words) '
                    f'| | {reasons["same_direction"]} |']


def confusion(rows: list[dict]) -> list[str]:
    counts = Counter((row['sentiment'], said(row)) for row in rows)
    head = ['| label \\ said | negative | neutral | positive |', '|---|---|---|---|']
    return head + [f'| {SIGNS[s + 1]} | ' + ' | '.join(str(counts[s, t]) for t in (-1, 0, 1)) + ' |' for s in (-1, 0, 1)]


def shown(value: float) -> str:
    return '' if math.isnan(value) else f'{value:.2f}'


def by(name: str, groups: list[tuple[str, list[dict]]]) -> list[str]:
    lines = [f'| {name} | Texts | Sentiment accuracy | Importance r |', '|---|---|---|---|']
    return lines + [f'| {group} | {len(rows)} | {accuracy(rows):.2f} | {shown(importance_r(rows))} |' for group, rows in groups if rows]


def reliability(rows: list[dict]) -> list[str]:
    """How often the most likely class is right, by how sure the scorer is; and the mean label of what it calls so important."""
    sure = np.array([row['read']['probabilities'].max() for row in rows])
    right = np.array([said(row) == row['sentiment'] for row in rows])
    told = np.array([float(importance_of(row['read']['importance'][0])) for row in rows])
    labels = np.array([row['importance'] for row in rows])
    lines = ['| Probability of the class | Texts | Mean probability | Right |', '|---|---|---|---|']
    for low, high in ((0.33, 0.5), (0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.01)):
        here = (sure >= low) & (sure < high)
        if here.any():
            lines.append(f'| {low} to {min(high, 1.0)} | {here.sum()} | {sure[here].mean():.2f} | {right[here].mean():.2f} |')
    lines += ['', '| Importance said | Texts | Mean said | Mean label |', '|---|---|---|---|']
    for low in np.arange(0, 1, 0.1):
        here = (told >= low) & (told < low + 0.1)
        if here.any():
            lines.append(f'| {low:.1f} to {low + 0.1:.1f} | {here.sum()} | {told[here].mean():.2f} | {labels[here].mean():.2f} |')
    bias = {domain: np.mean([t - l for t, l, row in zip(told, labels, rows) if row['domain'] == domain]) for domain in check.DOMAINS}
    low, high = min(bias, key=bias.get), max(bias, key=bias.get)
    return lines + ['', f'Importance said minus label, mean of a domain: from {bias[low]:+.2f} ({low}) to {bias[high]:+.2f} ({high}).']


def worst(rows: list[dict]) -> list[str]:
    """Wrong sentiment with the greatest certainty."""
    wrong = [row for row in rows if said(row) != row['sentiment']]
    sure = lambda row: float(row['read']['probabilities'][said(row) + 1] - row['read']['probabilities'][row['sentiment'] + 1])
    cell = lambda text: text.replace('|', '/').replace('\n', ' ')[:150]
    lines = ['| Label | Said | Probabilities -, 0, + | Id | Text |', '|---|---|---|---|---|']
    return lines + [f'| {row["sentiment"]} | {said(row)} | {" ".join(f"{p:.2f}" for p in row["read"]["probabilities"])} | {row["id"]} | '
                    f'{cell(row["text"])} |' for row in sorted(wrong, key=sure, reverse=True)[:WORST]]
