import * as assert from 'uvu/assert';
import { build } from '../../adapters/segments/jobs.js';
import type { Shelf } from '../../adapters/segments/checkpoints.js';
import { sha256Of } from '../../adapters/contents.js';
import {
  jsonBytes,
  pack,
  unpack,
  type CheckpointsFile,
  type Manifest,
} from '../../commands/segments/tables.js';
import type { KeptTable } from '../../domain/segments/facts.js';
import type { Recipe } from '../../domain/segments/recipe.js';
import { feature, input, recipeOf, sourcesOf, type Point } from '../domain/segments/given.js';
import { suite } from '../suite.js';

const HOUR = 3_600_000;
const BLOCK = 4_096;
const ROWS = 5 * BLOCK + 10;
const hours = (count: number): Point[] =>
  Array.from({ length: count }, (_, i) => ({ time: i * HOUR, value: Math.sin(i) }));
const [x, y] = [hours(ROWS), hours(ROWS)];

function shelfOf(files: Map<string, Uint8Array>): Shelf {
  return {
    async put(bytes) {
      files.set(sha256Of(bytes), bytes);
      return sha256Of(bytes);
    },
    get: async sha256 => files.get(sha256) ?? null,
    has: async sha256 => files.has(sha256),
  };
}

suite('checkpoints that lie beside a table', test => {
  const recipe = (steps: number): Recipe =>
    recipeOf({
      step_s: 3_600,
      inputs: [input('x')],
      features: [feature('before', 'lag', { column: 'x', steps })],
    });
  const files = new Map<string, Uint8Array>();
  const shelf = shelfOf(files);
  const built = (own: Recipe, before: string | null, points = x): Promise<KeptTable> =>
    build(own, sourcesOf({ signals: { x: points, y } }, Infinity, 1_000), shelf, before);
  const manifestOf = ({ manifest }: KeptTable): Manifest =>
    JSON.parse(Buffer.from(files.get(manifest)!).toString()) as Manifest;
  const checkpointsOf = async (table: KeptTable): Promise<CheckpointsFile> =>
    JSON.parse((await unpack(files.get(manifestOf(table).checkpoints!)!)).toString()) as CheckpointsFile;
  const revised = (hour: number): Point[] => x.with(hour, { ...x[hour]!, value: 3 });

  test('of large ones fewer are kept, and each tells of all that was read before it', async () => {
    const own = recipe(9_000);
    const first = await built(own, null);
    const rows = (await checkpointsOf(first)).checkpoints.map(({ row }) => row / BLOCK);
    assert.equal(rows, [3, 5]);
    for (const [hour, made] of [
      [2 * BLOCK, ROWS],
      [3 * BLOCK - 1, ROWS],
      [4 * BLOCK, ROWS - 3 * BLOCK],
      [5 * BLOCK, ROWS - 5 * BLOCK],
    ] as const) {
      const again = await built(own, first.manifest, revised(hour));
      assert.is(again.rebuilt_rows, made, `hour ${hour}`);
      const { table_hash, manifest: _, ...rest } = await built(own, null, revised(hour));
      assert.equal([again.table_hash, again.quality], [table_hash, rest.quality]);
    }
  });

  test('of another recipe, or made by another program, they are not gone on from', async () => {
    const own = recipe(3);
    const first = await built(own, null);
    const again = await built(own, first.manifest);
    assert.equal([again.rebuilt_rows, again.manifest], [ROWS - 5 * BLOCK, first.manifest]);
    assert.is((await built(recipe(4), first.manifest)).rebuilt_rows, ROWS);
    const { checkpoints } = await checkpointsOf(first);
    const other = await shelf.put(await pack(jsonBytes({ ground: sha256Of(Buffer.of()), checkpoints })));
    const manifest = await shelf.put(jsonBytes({ ...manifestOf(first), checkpoints: other }));
    assert.is((await built(own, manifest)).rebuilt_rows, ROWS);
  });

  test('another normalisation or split takes all rows over and is as from nothing', async () => {
    const own = recipe(3);
    const first = await built(own, null);
    const others: readonly Partial<Recipe>[] = [
      { normalization: { method: 'zscore', scope: 'global' } },
      {
        split: { ...own.split, folds: 5, horizon: 24 },
        normalization: { method: 'robust', scope: 'global' },
      },
    ];
    for (const other of others) {
      const again = await built({ ...own, ...other }, first.manifest);
      assert.is(again.rebuilt_rows, ROWS - 5 * BLOCK);
      const anew = await built({ ...own, ...other }, null);
      assert.equal({ ...again, rebuilt_rows: ROWS }, anew);
      assert.is(again.table_hash, first.table_hash);
      assert.is.not(manifestOf(again).normalization, manifestOf(first).normalization);
    }
  });

  test('where files are lost the build begins earlier, or from nothing', async () => {
    const own = recipe(3);
    const first = await built(own, null);
    const { blocks } = manifestOf(first);
    files.delete(blocks[2]!.sha256);
    const mended = await built(own, first.manifest);
    assert.equal([mended.rebuilt_rows, mended.manifest], [ROWS - 2 * BLOCK, first.manifest]);
    assert.ok(files.has(blocks[2]!.sha256));
    for (const name of [
      (await checkpointsOf(first)).checkpoints.at(-1)!.state,
      manifestOf(first).checkpoints!,
      first.manifest,
    ]) {
      files.delete(name);
      const again = await built(own, first.manifest);
      assert.equal([again.rebuilt_rows, again.manifest], [ROWS, first.manifest]);
    }
  });
});
