"""Checks the labelled texts against GUIDE.md, counts them, and reports how far the two passes of labelling agree.

    python3 models/event-scorer/data/check.py [--blind | --targets] [domain ...]     without a domain: all that are there

--blind prints ids and texts alone, shuffled, for the second pass; --targets the names of targets in use. Otherwise it checks,
and ends with status 1 and a list when something is wrong. `load()` and the tables below serve the recipe, too.
"""
import hashlib
import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).parent
HELDOUT = HERE.parent / 'recipe' / 'data' / 'heldout.txt'
DOMAINS = ('software-operations energy logistics-transport retail-consumer weather-climate markets-finance economy-policy '
           'company-business politics-government conflict-security law-regulation labour-employment health-medicine '
           'science-space technology-products cybersecurity agriculture-food manufacturing-materials property-construction '
           'telecom-internet travel-hospitality sport media-entertainment education community-safety').split()
STYLES = 'headline ticket log chat tweet report alert press_release'.split()
FEATURES = 'negation reversal irony number multilingual scheduled question rumour mixed routine'.split()
SCRIPTS = {'zh': 'CJK', 'ja': 'HIRAGANA KATAKANA CJK', 'hi': 'DEVANAGARI', 'bn': 'BENGALI', 'ar': 'ARABIC', 'ur': 'ARABIC',
           'ru': 'CYRILLIC', **{lang: 'LATIN' for lang in 'en es fr pt de'.split()}}
FIELDS = 'id text lang domain pattern sentiment importance targets tags'.split()
NEAR, PATTERN_LIMIT, TEXT_LIMIT = 0.8, 8, 1500
UNSPACED = re.compile('[\u3040-\u30ff\u4e00-\u9fff]')
FIFTHS = (0.2, 0.4, 0.6, 0.8, 0.95)


def load(folder: str, domains=DOMAINS) -> list[dict]:
    """The lines of every file of a folder, in the order of the domains; `file` tells where a line came from."""
    return [parsed(path, number, line) | {'file': domain} for domain in domains
            for path in [HERE / folder / f'{domain}.ndjson'] if path.exists()
            for number, line in enumerate(path.read_text('utf-8').splitlines(), 1)]


def parsed(path: Path, number: int, line: str) -> dict:
    try:
        return json.loads(line)
    except ValueError as error:
        sys.exit(f'fault: {path.parent.name}/{path.name} line {number}: {error}')


def label_faults(row: dict) -> list[str]:
    """What is wrong with the two labels that both passes have."""
    importance = row.get('importance')
    in_steps = isinstance(importance, float) and importance in [step / 20 for step in range(1, 20)]
    return [fault for fault, wrong in (
        ('sentiment is not -1, 0 or 1', row.get('sentiment') not in (-1, 0, 1)),
        ('importance is not 0.05 to 0.95 in steps of 0.05', not in_steps)) if wrong]


def row_faults(row: dict) -> list[str]:
    if sorted(row.keys() - {'file'}) != sorted(FIELDS):
        return [f'fields are not {" ".join(FIELDS)}']
    text, tags = row['text'], row['tags']
    return label_faults(row) + target_faults(row['targets']) + [fault for fault, wrong in (
        ('domain is not its file', row['domain'] != row['file']),
        ('id is not domain-number', not re.fullmatch(re.escape(row['domain']) + r'-\d{3,}', row['id'])),
        ('text is empty or too long', not 2 < len(text) <= TEXT_LIMIT),
        ('text is not trimmed, not NFC or has control characters', text != unicodedata.normalize('NFC', text.strip())
         or any(unicodedata.category(c) == 'Cc' and c != '\n' for c in text)),
        ('language is unknown', row['lang'] not in SCRIPTS),
        ('text is not in the script of its language', row['lang'] in SCRIPTS and not in_script(text, row['lang'])),
        ('pattern is not lower-case-with-hyphens', not re.fullmatch(r'[a-z0-9]+(-[a-z0-9]+)+', row['pattern'])),
        ('unknown or repeated tag', not set(tags) <= {*STYLES, *FEATURES} or len(set(tags)) < len(tags)),
        ('not exactly one style', sum(tag in STYLES for tag in tags) != 1),
        ('tag multilingual is missing', row['lang'] != 'en' and 'multilingual' not in tags)) if wrong]


def target_faults(targets: list[dict]) -> list[str]:
    sound = all(sorted(t) == ['sign', 'target'] and t['sign'] in (-1, 1)
                and re.fullmatch(r'[a-z0-9][a-z0-9 -]{1,30}', t['target']) for t in targets)
    distinct = len({t['target'] for t in targets if 'target' in t}) == len(targets)
    return [] if sound and distinct and len(targets) <= 3 else ['targets are not up to three different {target, sign}']


def in_script(text: str, lang: str) -> bool:
    """At least a third of the letters, so that names and loan words may stand in another script."""
    letters = [unicodedata.name(c, '') for c in text if c.isalpha()]
    return 3 * sum(name.startswith(tuple(SCRIPTS[lang].split())) for name in letters) >= len(letters) > 0


def tokens(text: str) -> frozenset[str]:
    """Words; pairs of characters where words are not set apart; all figures as one, for twins differ by them."""
    plain = re.sub(r'\d+([.,:]\d+)*', '0', unicodedata.normalize('NFKC', text).casefold())
    words = ''.join(c if unicodedata.category(c)[0] in 'LMN' else ' ' for c in plain).split()
    return frozenset(part for word in words for part in (pairs(word) if UNSPACED.search(word) else [word]))


def pairs(word: str) -> list[str]:
    return [word[i:i + 2] for i in range(max(1, len(word) - 1))]


def near_pairs(sets: list[frozenset[str]]) -> list[tuple[int, int, float]]:
    """Pairs with a Jaccard index above NEAR: they share a token among their rarest ones, so only those are compared."""
    count = Counter(token for tokens_ in sets for token in tokens_)
    holders, near = defaultdict(list), []
    for i, mine in enumerate(sets):
        rarest = sorted(mine, key=lambda token: (count[token], token))[:int((1 - NEAR) * len(mine)) + 1]
        for j in {j for token in rarest for j in holders[token]}:
            index = len(mine & sets[j]) / len(mine | sets[j])
            if index > NEAR:
                near.append((j, i, index))
        for token in rarest:
            holders[token].append(i)
    return near


def twin_faults(rows: list[dict]) -> list[str]:
    """Equal texts anywhere, near twins with different patterns, texts that are kept aside for the test."""
    aside = [line.rsplit('|', 2)[0] for line in HELDOUT.read_text('utf-8').splitlines()] if HELDOUT.exists() else []
    names = [row['id'] for row in rows] + ['heldout.txt'] * len(aside)
    patterns = [row['pattern'] for row in rows] + [''] * len(aside)
    texts = [row['text'] for row in rows] + aside
    faults = []
    for a, b, index in near_pairs([tokens(text) for text in texts]):
        if names[a] != names[b] and (patterns[a] != patterns[b] or texts[a] == texts[b]):
            faults.append(f'{names[b]}: near twin of {names[a]} ({index:.2f}): {texts[b]!r}')
    return faults


def quota_faults(domain: str, rows: list[dict]) -> list[str]:
    part = lambda test: sum(map(test, rows)) / len(rows)
    tagged = lambda *tags: part(lambda row: not set(tags).isdisjoint(row['tags']))
    wanted = [('120 texts', len(rows) >= 120), ('15% reversal or negation', tagged('reversal', 'negation') >= 0.15),
              ('10% irony, mixed, rumour, question or routine', tagged('irony', 'mixed', 'rumour', 'question', 'routine') >= 0.1),
              ('15% not in English', part(lambda row: row['lang'] != 'en') >= 0.15)]
    wanted += [(f'25 to 42% of sentiment {s}', 0.25 <= part(lambda row: row['sentiment'] == s) <= 0.42) for s in (-1, 0, 1)]
    for low, high in zip((0, *FIFTHS), FIFTHS):
        least = 0.02 if high == FIFTHS[-1] else 0.08
        wanted.append((f'{least:.0%} of importance {low} to {high}', part(lambda row: low < row['importance'] <= high) >= least))
    return [f'{domain}: not {what}' for what, met in wanted if not met]


def faults_in(rows: list[dict], second: list[dict]) -> list[str]:
    faults = [f'{row.get("id")}: {fault}' for row in rows for fault in row_faults(row)]
    faults += [f'second pass, {row.get("id")}: {fault}' for row in second for fault in label_faults(row)]
    if faults:
        return faults  # the rest needs sound rows
    ids, passed = Counter(row['id'] for row in rows), Counter(row['id'] for row in second)
    faults += [f'{name}: id twice' for name, n in (ids + passed).items() if max(ids[name], passed[name]) > 1]
    faults += [f'{name}: in the second pass, but not a text' for name in passed.keys() - ids.keys()]
    passed_domains = {row['file'] for row in second}
    faults += [f'{row["id"]}: not in the second pass' for row in rows
               if row['file'] in passed_domains and row['id'] not in passed]
    sizes = Counter((row['file'], row['pattern']) for row in rows)
    faults += [f'{domain}, pattern {name}: {n} texts' for (domain, name), n in sizes.items() if n > PATTERN_LIMIT]
    for domain, group in grouped(rows).items():
        faults += quota_faults(domain, group)
    guide = (HERE / 'GUIDE.md').read_text('utf-8')
    faults += [f'{name}: not explained in GUIDE.md' for name in (*DOMAINS, *STYLES, *FEATURES) if f'`{name}`' not in guide]
    return faults + twin_faults(rows)


def grouped(rows: list[dict]) -> dict[str, list[dict]]:
    groups = defaultdict(list)
    for row in rows:
        groups[row['file']].append(row)
    return groups


def agreement(rows: list[dict], second: list[dict]) -> str:
    """Cohen's kappa (1960) for sentiment; Pearson's r and mean absolute difference for importance."""
    other = {row['id']: row for row in second}
    pairs = [(row, other[row['id']]) for row in rows if row['id'] in other]
    if len(pairs) < 2:
        return 'no second pass'
    first, again = ([pair[k]['sentiment'] for pair in pairs] for k in (0, 1))
    same = sum(a == b for a, b in zip(first, again)) / len(pairs)
    by_chance = sum(first.count(s) * again.count(s) for s in (-1, 0, 1)) / len(pairs) ** 2
    kappa = (same - by_chance) / (1 - by_chance) if by_chance < 1 else 1.0
    x, y = ([pair[k]['importance'] for pair in pairs] for k in (0, 1))
    apart = sum(abs(a - b) for a, b in zip(x, y)) / len(pairs)
    return (f'{len(pairs):5} texts twice, sentiment {same:.3f} alike, kappa {kappa:.3f}; '
            f'importance r {pearson(x, y):.3f}, mean difference {apart:.3f}')


def pearson(x: list[float], y: list[float]) -> float:
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    spread = lambda values, mean: sum((v - mean) ** 2 for v in values)
    shared = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    return shared / ((spread(x, mean_x) * spread(y, mean_y)) ** 0.5 or 1)


def counts(rows: list[dict]) -> str:
    lengths = sorted(len(row['text']) for row in rows)
    fifth = lambda row: next(str(top) for top in FIFTHS if row['importance'] <= top)
    show = lambda counter: ' '.join(f'{key}:{n}' for key, n in sorted(counter.items()))
    return '\n'.join([
        f'texts {len(rows)}, patterns {len({row["pattern"] for row in rows})}, '
        f'characters {lengths[0]} to {lengths[-1]}, median {lengths[len(lengths) // 2]}',
        f'sentiment   {show(Counter(row["sentiment"] for row in rows))}',
        f'importance  {show(Counter(map(fifth, rows)))} (up to)',
        f'lang        {show(Counter(row["lang"] for row in rows))}',
        f'tags        {show(Counter(tag for row in rows for tag in row["tags"]))}',
        f'targets     {sum(bool(row["targets"]) for row in rows)} texts, '
        f'{len({t["target"] for row in rows for t in row["targets"]})} names'])


def blind(rows: list[dict]) -> str:
    order = sorted(rows, key=lambda row: hashlib.sha256(row['id'].encode()).digest())
    return '\n'.join(json.dumps([row['id'], row['text']], ensure_ascii=False) for row in order)


def target_names(rows: list[dict]) -> str:
    names = Counter(target['target'] for row in rows for target in row['targets'])
    return '\n'.join(f'{n:5} {name}' for name, n in names.most_common())


def report(rows: list[dict], second: list[dict]) -> str:
    lines, again = [counts(rows), ''], grouped(second)
    for domain, group in grouped(rows).items():
        senses = Counter(row['sentiment'] for row in group)
        classes = f'- {senses[-1]:<4} 0 {senses[0]:<4} + {senses[1]:<4}'
        lines.append(f'{domain:24}{len(group):4}  {classes} {agreement(group, again[domain])}')
    return '\n'.join([*lines, f'{"all":24}{len(rows):4}{"":24} {agreement(rows, second)}'])


def main(arguments: list[str]) -> int:
    unknown = set(arguments) - {*DOMAINS, '--blind', '--targets'}
    if unknown:
        sys.exit(f'fault: no such domain or option: {" ".join(sorted(unknown))}')
    domains = [name for name in DOMAINS if name in arguments] or DOMAINS
    rows, second = load('texts', domains), load('second-pass', domains)
    if '--blind' in arguments or '--targets' in arguments:
        print(blind(rows) if '--blind' in arguments else target_names(rows))
        return 0
    faults = faults_in(rows, second) if rows else ['no texts']
    if rows and not any(map(row_faults, rows)):
        print(report(rows, second))
    print(*(f'fault: {fault}' for fault in faults), f'{len(faults)} faults', sep='\n')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
