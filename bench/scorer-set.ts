import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// The labelled texts of models/event-scorer/data, settled and split as recipe/labels.py does it: a test holds
// the two together.

export const PARTS = ['train', 'dev', 'test'] as const;
export type Part = (typeof PARTS)[number];
/** 1: positive, or a target that goes up. */
export type Sign = -1 | 0 | 1;
type Second = { readonly id: string; readonly sentiment: Sign; readonly importance: number };
type First = Second & {
  readonly text: string;
  readonly lang: string;
  readonly domain: string;
  readonly pattern: string;
  readonly targets: readonly { readonly target: string; readonly sign: Sign }[];
  readonly tags: readonly string[];
};
export type Labelled = First & { readonly part: Part };

/** As in data/check.py; the order decides where a pattern of several domains is at home. */
export const DOMAINS: readonly string[] = [
  'software-operations',
  'energy',
  'logistics-transport',
  'retail-consumer',
  'weather-climate',
  'markets-finance',
  'economy-policy',
  'company-business',
  'politics-government',
  'conflict-security',
  'law-regulation',
  'labour-employment',
  'health-medicine',
  'science-space',
  'technology-products',
  'cybersecurity',
  'agriculture-food',
  'manufacturing-materials',
  'property-construction',
  'telecom-internet',
  'travel-hospitality',
  'sport',
  'media-entertainment',
  'education',
  'community-safety',
];
const TEST = 0.15;
const DEV = 0.13;

/**
 * Every labelled text of a folder: sentiment is what both passes say, or what was settled; importance the
 * mean of both.
 */
export function labelled(folder: string): Labelled[] {
  const again = new Map(load<Second>(folder, 'second-pass').map(row => [row.id, row]));
  const decided = new Map(
    lines<Second>(join(folder, 'settled.jsonl')).map(({ id, sentiment }) => [id, sentiment]),
  );
  const rows = load<First>(folder, 'texts').map(row => settle(row, again.get(row.id), decided.get(row.id)));
  const parts = partsOf(rows);
  return rows.map(row => ({ ...row, part: parts.get(row.pattern)! }));
}

/** @throws Error where the second pass has not seen the text, or the passes differ and nothing was settled */
export function settle<Row extends Second>(
  row: Row,
  second: Second | undefined,
  decided: Sign | undefined,
): Row {
  const sentiment = row.sentiment === second?.sentiment ? row.sentiment : decided;
  if (!second || sentiment === undefined) throw new Error(`${row.id} has no settled label`);
  return { ...row, sentiment, importance: (row.importance + second.importance) / 2 };
}

/**
 * Pattern -> part. A pattern is at home in the first domain that has it; there patterns come in the order of
 * a hash, and the first 15% of the texts are for the test, the next 13% for choosing between models, the rest
 * for training.
 */
export function partsOf(
  rows: readonly { readonly pattern: string; readonly domain: string }[],
): Map<string, Part> {
  const home = new Map<string, string>();
  const parts = new Map<string, Part>();
  for (const { pattern, domain } of rows) if (!home.has(pattern)) home.set(pattern, domain);
  for (const domain of DOMAINS) {
    const counts = new Map<string, number>();
    for (const { pattern } of rows)
      if (home.get(pattern) === domain) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
    const texts = [...counts.values()].reduce((sum, count) => sum + count, 0);
    let seen = 0;
    for (const pattern of [...counts.keys()].sort(byHash)) {
      parts.set(pattern, partAfter(seen, texts));
      seen += counts.get(pattern)!;
    }
  }
  return parts;
}

/** The part of the next pattern, when the ones before it hold `seen` of all texts. */
function partAfter(seen: number, texts: number): Part {
  if (seen < TEST * texts) return 'test';
  return seen < (TEST + DEV) * texts ? 'dev' : 'train';
}

const hashOf = (pattern: string): string => createHash('sha256').update(`split 1 ${pattern}`).digest('hex');
const byHash = (a: string, b: string): number => (hashOf(a) < hashOf(b) ? -1 : 1);

const load = <Row>(folder: string, pass: string): Row[] =>
  DOMAINS.flatMap(domain => lines<Row>(join(folder, pass, `${domain}.ndjson`)));
const lines = <Row>(file: string): Row[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Row);
