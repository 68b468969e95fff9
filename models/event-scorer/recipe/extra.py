"""Texts for training only, labelled once: data/training/*.txt, lines `sentiment|importance|lang|domain|tags|targets|text` with tags
`headline,number` and targets `gas storage -1;gas price 1`."""
import re
from pathlib import Path

from labels import check, HERE

FOLDER = HERE.parent / 'data' / 'training'
EXAM, KINDS = HERE / 'data' / 'plain-exam.txt', HERE / 'data' / 'kinds-exam.txt'
# Of kinds-exam.txt, in this order, with as many lines each
KIND_NAMES, KIND_LINES = ('ends', 'rulings', 'rivals', 'calm', 'gone', 'plain'), 70
TARGET = re.compile(r'([a-z0-9][a-z0-9 -]{1,30}) (-?1)')


def extra_rows(folder: Path = FOLDER) -> list[dict]:
    return rows_of(sorted(folder.glob('*.txt')))


def exam_rows() -> list[dict]:
    """Plain speech that is never trained on: whoever learns from texts whose words point the wrong way has to stay able to read it."""
    return rows_of([EXAM])


def kinds_rows() -> list[dict]:
    """Kinds of texts that went wrong once, never trained on; with `kind`."""
    return [{**row, 'kind': KIND_NAMES[i // KIND_LINES]} for i, row in enumerate(rows_of([KINDS]))]


def rows_of(files: list[Path]) -> list[dict]:
    """Rows like those of labels.settled(), with `id` file:line; ends with a list of all faults if there are any."""
    lines = [(f'{path.stem}:{number}', line) for path in files
             for number, line in enumerate(path.read_text('utf-8').splitlines(), 1)]
    read = [(name, parsed(name, line)) for name, line in lines]
    faults = [f'{name}: {fault}' for name, row in read for fault in faults_of(row)]
    if faults:
        raise SystemExit('\n'.join(faults))
    return [row for _, row in read]


def parsed(name: str, line: str) -> dict | None:
    """None for a line that is not of this form."""
    fields = line.split('|', 6)
    if len(fields) < 7 or not re.fullmatch(r'-1|0|1', fields[0]) or not re.fullmatch(r'0?\.\d+', fields[1]):
        return None
    found = [TARGET.fullmatch(part.strip()) for part in fields[5].split(';') if part.strip()]
    return None if None in found else {
        'id': name, 'sentiment': int(fields[0]), 'importance': float(fields[1]), 'lang': fields[2], 'domain': fields[3],
        'tags': [tag for tag in fields[4].split(',') if tag], 'text': fields[6].strip(),
        'targets': [{'target': match[1], 'sign': int(match[2])} for match in found]}


def faults_of(row: dict | None) -> list[str]:
    if row is None:
        return ['not sentiment|importance|lang|domain|tags|targets|text']
    return check.label_faults(row) + check.target_faults(row['targets']) + [fault for fault, wrong in (
        ('language is unknown', row['lang'] not in check.SCRIPTS), ('domain is unknown', row['domain'] not in check.DOMAINS),
        ('unknown tag', not set(row['tags']) <= {*check.STYLES, *check.FEATURES}),
        ('text is empty or too long', not 2 < len(row['text']) <= check.TEXT_LIMIT)) if wrong]
