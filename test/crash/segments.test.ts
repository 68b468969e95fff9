import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { DEFAULTS } from '../../domain/segments/recipe.js';
import type { KeptRecipe } from '../../domain/segments/facts.js';
import type { SegmentDoc } from '../../projections/segments/documents.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { pagesOf } from './audit.js';
import { embeddedDisk, Killed, memoryDisk, type Disk } from './deaths.js';
import { SEGMENT, SegmentsLife, WORKSPACE } from './segments-life.js';

const AT_ONCE = 8;
const HOUR = 3_600_000;
const START = 1_700_002_800_000;
const points = (from: number, count: number): [number, number][] =>
  Array.from({ length: count }, (_, i) => [START + (from + i) * HOUR, (from + i) % 5]);
const recipe = (over: Partial<KeptRecipe> = {}): KeptRecipe => ({
  ...{ target: 'target', inputs: [], event_streams: [], features: [], step_s: 3_600, from: null, to: null },
  ...{ entity_mode: DEFAULTS.entity_mode, timezone: DEFAULTS.timezone, fill: DEFAULTS.fill },
  ...{ aggregate: DEFAULTS.aggregate, split: DEFAULTS.split },
  normalization: { method: 'zscore', scope: 'global' },
  ...over,
});
const lag = { feature_id: 'ftr_1', name: 'before', kind: 'lag', enabled: true } as const;
const features = [{ ...lag, params: { column: 'target', steps: 1 } }];

const settled = async (life: SegmentsLife, isSo: (doc: SegmentDoc) => boolean): Promise<void> => {
  await until(async () => {
    if (life.deaths.dead) throw new Killed();
    const doc = await life.queries.segment(WORKSPACE, SEGMENT);
    return doc && isSo(doc) && (await life.idle());
  }, 'the segment');
};
const isReady = ({ status }: SegmentDoc): boolean => status === 'ready';
type Step = (life: SegmentsLife) => Promise<unknown>;

/** Made, built, stale by new points, built again; another recipe, and points while it is built; built. */
const steps: readonly Step[] = [
  life => life.push(points(0, 40)),
  life => life.create(recipe()),
  life => settled(life, isReady),
  life => life.push(points(40, 2)),
  life => settled(life, ({ status, table }) => status === 'stale' && table?.row_count === 40),
  life => life.commands.rebuild(WORKSPACE, SEGMENT, life.context()),
  life => settled(life, doc => isReady(doc) && doc.table?.row_count === 42),
  async life => {
    const change = { recipe: recipe({ features }) };
    await life.commands.revise(WORKSPACE, SEGMENT, change, null, life.context());
    await life.push(points(42, 3));
  },
  life => settled(life, doc => doc.table?.version === 2 && !doc.open),
  life => life.commands.rebuild(WORKSPACE, SEGMENT, life.context()),
  life => settled(life, doc => isReady(doc) && doc.table?.row_count === 45),
];

/** What a patient client does: it asks again, in the next life, until it has an answer. */
async function play(life: SegmentsLife): Promise<void> {
  for (const step of steps)
    for (;;) {
      try {
        await step(life);
        break;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        await life.again();
      }
    }
}

/** What a run leaves: the table's hash, and faults in what was written on the way. */
async function left(life: SegmentsLife) {
  life.deaths.noMore();
  const doc = (await life.queries.segment(WORKSPACE, SEGMENT))!;
  const faults: string[] = [];
  const built = new Map<number, number>();
  for await (const { type, data } of pagesOf(life.events)) {
    if (type !== 'SegmentBuilt') continue;
    const { build } = data as { build: number };
    built.set(build, (built.get(build) ?? 0) + 1);
  }
  for (const [build, count] of built) if (count > 1) faults.push(`build ${build} ended ${count} times`);
  const { items } = await life.queries.versions(WORKSPACE, SEGMENT, 10, 0);
  const kept = new Set<string>();
  for (const { table } of items) {
    if (!table) continue;
    const manifest = await life.tables().manifest(SEGMENT, table.manifest);
    for (const name of [table.manifest, manifest.normalization, ...manifest.blocks.map(each => each.sha256)])
      kept.add(name);
    if (!manifest.checkpoints) continue;
    kept.add(manifest.checkpoints);
    const { checkpoints } = await life.tables().checkpoints(SEGMENT, manifest.checkpoints);
    for (const { state } of checkpoints) kept.add(state);
  }
  const names = await life.contents.list(SEGMENT);
  if (JSON.stringify([...kept].sort()) !== JSON.stringify([...names].sort()))
    faults.push(`${names.length} files lie there, ${kept.size} are needed`);
  return { hash: doc.table!.table_hash, faults };
}

async function run(disk: Disk, plan: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'presage-test-'));
  const life = new SegmentsLife(disk, folder, plan);
  await life.begin();
  try {
    await play(life);
    const outcome = await left(life);
    await life.commands.delete(WORKSPACE, SEGMENT, null, life.context());
    await until(() => life.idle(), 'the end');
    return { ...outcome, points: life.deaths.points, files: await life.contents.list(SEGMENT) };
  } finally {
    await life.end();
    await disk.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

suite('segments in processes that die at any write', test => {
  let whole: Awaited<ReturnType<typeof run>>;
  test('without a death all is as it should be', async () => {
    whole = await run(memoryDisk(), []);
    assert.equal(whole.faults, []);
    assert.equal(whole.files, [], 'a deleted segment leaves nothing');
    assert.ok(whole.points > 60, `${whole.points} places to die`);
  });

  test('wherever one dies, the table is the same, and nothing is there twice', async () => {
    const dying = async (point: number) => {
      const { hash, faults, files } = await run(memoryDisk(), [point]);
      assert.equal([hash, faults, files], [whole.hash, [], []], `death at ${point}`);
    };
    // Each waits most of its time
    for (let from = 0; from < whole.points; from += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => dying(from + i)));
  });

  test('many die one after the other, on files', async () => {
    for (const plan of [
      [3, 7, 11, 19, 23],
      [30, 5, 2, 9, 40, 6],
      [13, 13, 13, 13, 13, 13, 13],
    ]) {
      const { hash, faults, files } = await run(embeddedDisk(), plan);
      assert.equal([hash, faults, files], [whole.hash, [], []], `deaths at ${plan.join(', ')}`);
    }
  });
});
