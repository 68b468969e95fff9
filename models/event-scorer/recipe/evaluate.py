"""How good the shipped scorer is, on texts kept out of training and of every choice."""
import json
from collections import defaultdict

import numpy as np
from sklearn.metrics import roc_auc_score

from explain import places, WORD
from labels import check, HERE
from model import Scorer
from pieces import softened
from scores import closeness, importance_of, profile_topics

SIGNS = ('negative', 'neutral', 'positive')
PHRASES = 8
ABOUT = HERE.parent / 'data' / 'GUIDE.md'


def readings_of(scorer: Scorer, rows: list[dict]) -> list[dict]:
    """What the scorer says of each text, beside the label."""
    return [{**row, 'read': scorer.read(row['text'])} for row in rows]


def said(row: dict) -> int:
    return int(row['read']['probabilities'].argmax()) - 1


def accuracy(rows: list[dict]) -> float:
    return float(np.mean([said(row) == row['sentiment'] for row in rows])) if rows else float('nan')


def importance_r(rows: list[dict]) -> float:
    told = [float(importance_of(row['read']['importance'][0])) for row in rows]
    return float(np.corrcoef(told, [row['importance'] for row in rows])[0, 1]) if len(rows) > 2 else float('nan')


def target_sign(scorer: Scorer, rows: list[dict]) -> tuple[float, int]:
    """Share of stated targets whose direction is right, and how many there are."""
    pairs = [(row['read']['course'], target) for row in rows for target in row['targets']]
    right = [np.sign(course @ scorer.read(target['target'])['quantity']) == target['sign'] for course, target in pairs]
    return float(np.mean(right)), len(right)


def summary(scorer: Scorer, rows: list[dict]) -> dict:
    sign, targets = target_sign(scorer, rows)
    reversals = [row for row in rows if 'reversal' in row['tags']]
    round3 = lambda x: round(x, 3)
    return {'texts': len(rows), 'sentiment_accuracy': round3(accuracy(rows)), 'importance_r': round3(importance_r(rows)),
            'english': {'texts': sum(row['lang'] == 'en' for row in rows),
                        'sentiment_accuracy': round3(accuracy([row for row in rows if row['lang'] == 'en']))},
            'reversals': {'texts': len(reversals), 'sentiment_accuracy': round3(accuracy(reversals))},
            'target_sign': {'targets': targets, 'accuracy': round3(sign)}}


def relevance(scorer: Scorer, rows: list[dict], known: list[dict]) -> dict:
    """Area under the ROC curve for telling a workspace's own texts from those of others. Workspaces: the hand-written profiles,
    and one for each domain, described in the guide's words and by the targets most named in other texts (`known`)."""
    data = json.loads((HERE / 'data' / 'profiles.json').read_text())
    spaces = [(workspace, [scorer.read(text)['topic'] for text in workspace['texts']]) for workspace in data['workspaces']]
    nobody = [scorer.read(text)['topic'] for text in data['irrelevant']]
    domains = [(profile, [row['read']['topic'] for row in rows if row['domain'] == domain])
               for domain, profile in domain_profiles(known).items()]
    own, others, irrelevant = compared(scorer, spaces, nobody)
    own_domain, other_domains, _ = compared(scorer, domains, [])
    auc = lambda yes, no: round(float(roc_auc_score([1] * len(yes) + [0] * len(no), yes + no)), 3)
    return {'auc_own_against_irrelevant': auc(own, irrelevant), 'auc_own_against_other_workspaces': auc(own, others),
            'auc_own_against_other_domains': auc(own_domain, other_domains)}


def compared(scorer: Scorer, spaces: list[tuple[dict, list]], nobody: list) -> tuple[list[float], list[float], list[float]]:
    own, others, irrelevant = [], [], []
    for i, (profile, topics) in enumerate(spaces):
        topics_of_profile = profile_topics(scorer, profile)
        near = lambda topics: [closeness(topic, *topics_of_profile) for topic in topics]
        own += near(topics)
        irrelevant += near(nobody)
        others += near([topic for j, (_, theirs) in enumerate(spaces) if j != i for topic in theirs])
    return own, others, irrelevant


def domain_profiles(rows: list[dict]) -> dict[str, dict]:
    lines = [line.split('|') for line in ABOUT.read_text().splitlines() if line.startswith('| `')]
    about = {cells[1].strip(' `'): cells[2].strip() for cells in lines}
    counts = defaultdict(lambda: defaultdict(int))
    for row in rows:
        for target in row['targets']:
            counts[row['domain']][target['target']] += 1
    most = lambda domain: sorted(counts[domain], key=lambda name: (-counts[domain][name], name))[:PHRASES]
    return {domain: {'description': about[domain], 'phrases': most(domain)} for domain in check.DOMAINS}


def faithfulness(scorer: Scorer, rows: list[dict], least: float = 0.2) -> dict:
    """Words with an effect of at least `least` on polarity: do they move the log odds the way it says when they are taken out?"""
    told, true = [], []
    for row in rows:
        text = softened(row['text'])
        whole, tokens, effects = half_odds(row['read']), places(text, scorer.tokenizer), row['read']['token_effects']
        for match in WORD.finditer(text):
            effect = float(effects[[i for i in tokens.get(match.start(), []) if i < len(effects)], 0].sum())
            if abs(effect) >= least:
                told.append(effect)
                true.append(whole - half_odds(scorer.read(text[:match.start()] + ' ' + text[match.end():])))
    return {'words': len(told), 'same_direction': round(float(np.mean(np.sign(told) == np.sign(true))), 3),
            'r': round(float(np.corrcoef(told, true)[0, 1]), 3)}


def half_odds(reading: dict) -> float:
    return float(np.log(reading['probabilities'][2] / reading['probabilities'][0])) / 2
