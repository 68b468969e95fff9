import * as assert from 'uvu/assert';
import { sourcesOf } from '../../commands/segments/sources.js';
import type { EdgeResponse } from '../../domain/segments/ports.js';
import { LATEST } from '../../domain/time.js';
import { randomOf, seedFrom } from '../random.js';
import { suite } from '../suite.js';
import { everyKindOf } from '../domain/segments/every-kind.js';
import { built, input, recipeOf, type Row, type Table } from '../domain/segments/given.js';
import { aPush, signalsWorld } from './signals-world.js';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);
const STEPS = 120;
const KEYS = ['y', 'x'];
const all = everyKindOf(KEYS);
const kinds = [...new Set(all.map(({ kind }) => kind))];
/** These are made of times alone. */
const TIMELESS = ['calendar', 'fourier', 'holiday'];

type Pairs = [number, number][];

/** What is known of the edge now (null) is another curve than what was known then. */
const edgeAt = (asOf: number | null): EdgeResponse => ({
  ...{ edgeId: 'edg_1', goalId: 'goa_1', checkId: null, checkedAt: null, stepS: 3_600, lift: 0.1 },
  weighing: { by: 'none', mean: 1 },
  response: { stepS: 3_600, offsets: [0, 7_200], effects: asOf === null ? [9, -9] : [1, 2] },
});

suite('a table as of a moment, from what is kept of signals', test => {
  const random = randomOf(seedFrom('SEGMENTS_THEN_SEED'));
  const pairs = (): Pairs =>
    Array.from({ length: STEPS }, (_, i): [number, number] => [START + i * HOUR, random.next() * 10]).filter(
      (_, i) => i === 0 || i === STEPS - 1 || random.chance(0.8),
    );

  /** A workspace with two signals, of which most is said once more later, and points between come late. */
  async function world() {
    const { commands, context, clock, project, queries } = await signalsWorld({ leafPoints: 10 });
    const push = (key: string, points: Pairs) => commands.push('w', [aPush(key, points)], context('w'));
    for (const key of KEYS) await push(key, pairs());
    const moment = clock.now;
    const tables = (features: Parameters<typeof recipeOf>[0], asOf: number): Promise<Table> => {
      const reads = {
        signal: async (workspace: string, key: string) => {
          const doc = await queries.signal(workspace, key);
          return doc && { workspace, key, recordedAt: doc.recorded_at };
        },
        stream: async (workspace: string, key: string) => ({ workspace, key }),
        entities: async () => [],
        points: (
          { workspace, key }: { workspace: string; key: string },
          from: number,
          to: number,
          at: number,
        ) => queries.pointsKnown(workspace, key, from, to, at),
        newest: ({ workspace, key }: { workspace: string; key: string }, to: number, at: number) =>
          queries.newest(workspace, key, to, 1, at),
        async *events(_: unknown, from: number, to: number) {
          const times = [START, START + 30 * HOUR, START + 90 * HOUR].filter(
            time => time >= from && time <= to,
          );
          yield { times, values: times.map(() => 1) };
        },
        responses: async (_: string, __: string, at: number | null) => new Map([['y', [edgeAt(at)]]]),
      };
      const recipe = recipeOf({
        ...{ step_s: 3_600, inputs: [input('x', { lag_s: 5_400 })] },
        ...{ fill: { method: 'linear', max_gap_steps: 2 } },
        ...features,
      });
      return built(recipe, sourcesOf({ reads, holidays: async () => [19_723] }, 'w', asOf, asOf === moment));
    };
    const poison = async (): Promise<void> => {
      clock.now += 1;
      for (const key of KEYS) {
        const late = pairs().map(([time]): [number, number] => [time, 1e6 * random.next()]);
        await push(key, [...late, [START + STEPS * HOUR, 1], [START - HOUR, 1]]);
      }
    };
    return { moment, tables, poison, project };
  }

  for (const kind of kinds)
    test(`points that were recorded later change no row with ${kind}`, async () => {
      const features = all.filter(each => each.kind === kind);
      const { moment, tables, poison, project } = await world();
      await project();
      const before = await tables({ features }, moment);
      await poison();
      await project();
      const after = await tables({ features }, moment);
      assert.equal(after.rows, before.rows);
      assert.is(after.table_hash, before.table_hash);
      assert.equal([after.quality, after.data_cutoff], [before.quality, before.data_cutoff]);
      const now = await tables({ features }, LATEST);
      assert.is(now.row_count, before.row_count + 2);
      const of = (row: Row | undefined): unknown[] => features.map(({ name }) => row?.[name]);
      const differs = before.rows.some((row, i) => String(of(row)) !== String(of(now.rows[i + 1])));
      assert.is(differs, !TIMELESS.includes(kind), 'what is known now tells otherwise');
    });

  test('a target of which nothing was known then has no rows', async () => {
    const { moment, tables, project } = await world();
    await project();
    const none = await tables({}, moment - 1).then(
      () => null,
      (error: { code: string }) => error.code,
    );
    assert.is(none, 'segment_too_short');
  });
});
