import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { table } from './common.js';
import { figuresOf } from './guard-figures.js';
import { verdictOf, worse, type Figure, type Kept } from './guard-verdict.js';

/**
 * The main figures, each as processor time against that of a baseline measured in the same minutes, beside
 * those kept in bench/guard.json: says which got worse by a tenth, and ends with 1 then. What seems worse is
 * measured again, twice at most, and its best counts. `node dist/bench/guard.js [--keep]`
 *
 * Where others keep all cores busy a single measurement is a tenth off now and then, and a run takes two
 * minutes: what it says there is a hint.
 *
 * --keep   keeps the figures of this run; the next runs are held against them
 */
const kept = fileURLToPath(new URL('../../bench/guard.json', import.meta.url));
const TRIES = 3;

const keeping = process.argv.includes('--keep');
const before: Kept = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Kept) : {};
const found = new Map<string, number>();

/** Measures some figures; of one that was measured already the better one counts. */
async function measure(figures: readonly Figure[]): Promise<void> {
  for (const { name, measured } of figures)
    found.set(name, Math.min(await measured(), found.get(name) ?? Infinity));
}

const { figures, end } = await figuresOf();
for (let left = TRIES, again = figures; left > 0 && again.length > 0; left--) {
  await measure(again);
  again = keeping ? [] : figures.filter(({ name }) => worse(before[name], found.get(name)!));
}
await end();

table(
  ['', 'processor time, of its baseline', 'kept', ''],
  figures.map(({ name, of }) => {
    const now = found.get(name)!;
    return [
      `${name}, of ${of}`,
      now.toFixed(2),
      before[name]?.toFixed(2) ?? '',
      verdictOf(before[name], now),
    ];
  }),
);
if (keeping) writeFileSync(kept, `${JSON.stringify(Object.fromEntries(found), rounded, 2)}\n`);
else if (figures.some(({ name }) => worse(before[name], found.get(name)!))) process.exitCode = 1;

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(3)) : value;
}
