import { newDigest, sha256 } from '../adapters/segments/hashing.js';
import type { Checkpoint } from '../domain/segments/ports.js';
import { buildTable } from '../domain/segments/table.js';
import { quick, table, whole } from './common.js';
import { signals, sourcesOf, type Signal } from './segments-data.js';
import { recipe } from './segments-recipe.js';

/**
 * The table of a segment with 100 columns of hourly steps after one more day of points: built from nothing,
 * and gone on with from the last checkpoint before the new points. Both must have the same hash.
 * `ROWS=1000000 node dist/bench/segments-rebuild.js [--quick]`; 100,000 rows unless ROWS says otherwise,
 * --quick: 20,000.
 */
const ROWS = Number(process.env['ROWS'] ?? (quick ? 20_000 : 100_000));
const DAY = 24;

type Built = {
  readonly seconds: number;
  readonly blocks: number;
  readonly rows: number;
  readonly hash: string;
};

async function built(
  known: ReadonlyMap<string, Signal>,
  until: number,
  before: readonly Checkpoint[],
  checkpoint: (each: Checkpoint) => void = () => undefined,
): Promise<Built> {
  let [blocks, rows] = [0, 0];
  const sink = {
    async block({ times }: { readonly times: Float64Array }) {
      blocks++;
      rows += times.length;
    },
    checkpoint: async (each: Checkpoint) => checkpoint(each),
  };
  const start = performance.now();
  const checkpoints = before.map(({ state, ...each }) => ({ ...each, state: async () => state }));
  const options = { hashing: await sha256(), resuming: { checkpoints, newDigest } };
  const { table_hash } = await buildTable(recipe, sourcesOf(known, until), sink, options);
  return { blocks, rows, hash: table_hash!, seconds: (performance.now() - start) / 1_000 };
}

const known = signals(ROWS);
const { times } = known.get(recipe.target)!;
const newDay = times.at(-1)! - DAY * 3_600_000;
const checkpoints: Checkpoint[] = [];
const before = await built(known, newDay, [], each => void checkpoints.push(each));
const fresh = await built(known, Infinity, []);
const rest = await built(known, Infinity, checkpoints);

const line = (name: string, { rows, blocks, seconds, hash }: Built): string[] => [
  name,
  whole(rows),
  whole(blocks),
  seconds.toFixed(2),
  hash.slice(0, 12),
];
const bytes = whole(checkpoints.at(-1)?.state.length ?? 0);
console.log(`${whole(ROWS)} rows, with text and hash; a checkpoint holds ${bytes} bytes`);
table(
  ['', 'rows made', 'blocks told', 'seconds', 'hash'],
  [line('before the new day', before), line('from nothing', fresh), line('gone on from a checkpoint', rest)],
);
if (rest.hash !== fresh.hash) throw new Error('the hashes differ');
