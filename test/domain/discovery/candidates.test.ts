import * as assert from 'uvu/assert';
import { candidatesOf, MOST_SOURCES, type Known } from '../../../commands/discovery/candidates.js';
import type { Scope, Source } from '../../../domain/discovery/facts.js';
import { gridOf, stepMeans } from '../../../domain/discovery/grid.js';
import { fixed, gridOf as stepsFrom, stepAt } from '../../../domain/maths/series/grid.js';
import { DAY, HOUR } from '../../../domain/time.js';
import { suite } from '../../suite.js';

const reads = (signals: readonly string[], streams: readonly string[]) => ({
  async *signals() {
    yield signals;
  },
  async *streams() {
    yield streams;
  },
});
const search = (more: Partial<Scope> = {}): Scope =>
  ({ kind: 'search', signals: 'all', eventStreams: 'all', exclude: [], ...more }) as Scope;
const known = (sourceKey: string, status: Known['status'], kind: Known['kind'] = 'event_stream'): Known => ({
  ...{ edgeId: `edg_${sourceKey}`, kind, sourceKey, status },
});
const chosen = async (scope: Scope, edges: readonly Known[], signals: string[], streams: string[]) => {
  const of = { workspace: 'w', target: 'orders', isOfFleet: false, scope };
  const found = await candidatesOf(reads(signals, streams), of, edges);
  return { keys: found.sources.map(({ sourceKey }: Source) => sourceKey), leftOut: found.leftOut };
};

suite('what a discovery looks at', test => {
  test('is all but the target, what is excluded and what is blocked, each once', async () => {
    const edges = [known('news', 'validated'), known('spam', 'blocked'), known('old', 'retired')];
    const scope = search({ exclude: ['rain'] });
    const { keys } = await chosen(
      scope,
      edges,
      ['orders', 'rain', 'visits'],
      ['news', 'spam', 'old', 'fairs'],
    );
    assert.equal(keys, ['news', 'old', 'fairs', 'visits']);
  });

  test('of a recheck is what may drive it beside, and what is asked for', async () => {
    const edges = [known('news', 'pinned'), known('old', 'retired'), known('never', 'rejected')];
    const scope: Scope = { kind: 'recheck', edgeIds: ['edg_old'] };
    assert.equal((await chosen(scope, edges, ['visits'], ['fairs'])).keys, ['news', 'old']);
  });

  test("of a fleet's goal is not the other entities, unless they are named", async () => {
    const signals = ['sales__oslo', 'sales__rome', 'returns__rome', 'sales', 'rain'];
    const looked = async (isOfFleet: boolean, scope: Scope, target = 'sales__rome') => {
      const of = { workspace: 'w', target, isOfFleet, scope };
      const { sources, leftOut } = await candidatesOf(reads(signals, []), of, []);
      assert.is(leftOut, 0);
      return sources.map(({ sourceKey }: Source) => sourceKey);
    };
    assert.equal(await looked(true, search()), ['returns__rome', 'sales', 'rain']);
    assert.equal(await looked(false, search()), ['sales__oslo', 'returns__rome', 'sales', 'rain']);
    assert.equal(await looked(true, search({ signals: ['sales__oslo'] })), ['sales__oslo']);
    assert.equal(await looked(true, search(), 'rain'), signals.slice(0, -1));
  });

  test('is bounded, edges that are known first, and says what was left out', async () => {
    const many = Array.from({ length: MOST_SOURCES + 7 }, (_, i) => `s${i}`);
    const { keys, leftOut } = await chosen(search(), [known('s103', 'validated')], [], many);
    assert.equal([keys.length, keys[0], leftOut], [MOST_SOURCES, 's103', 7]);
  });
});

suite('the grid of a discovery', test => {
  const values = Float64Array.from({ length: 5 }, (_, i) => i);

  test('is that of clocks where steps are of one length', () => {
    const start = Date.UTC(2026, 2, 28);
    const series = { id: 't', start, step: fixed(HOUR), values, period: null, covariates: {} };
    const grid = gridOf(series, { stepS: 3_600, timezone: 'Europe/Berlin' });
    assert.equal([grid.from, grid.to, grid.steps], [start, start + 5 * HOUR, 5]);
    assert.equal([start - 1, start, start + 5 * HOUR - 1, start + 5 * HOUR].map(grid.stepAt), [-1, 0, 4, -1]);
    assert.is(grid.placed(start + 90), start + 90);
  });

  test('has days of a zone as days of 24 hours', () => {
    // Clocks go forward in the night to the 29th of March: its midnight is at 23:00, the next at 22:00 of UTC
    const midnight = (day: number) => Date.UTC(2026, 2, day) - (day <= 29 ? HOUR : 2 * HOUR);
    const start = midnight(31) - 4 * DAY;
    const series = { id: 't', start, step: fixed(DAY), values, period: null, covariates: {} };
    const grid = gridOf(series, { stepS: 86_400, timezone: 'Europe/Berlin' });
    assert.equal([grid.from, grid.to], [midnight(27), midnight(31) + DAY]);
    for (const [step, day] of [27, 28, 29, 30, 31].entries()) {
      assert.is(grid.stepAt(midnight(day)), step);
      assert.is(grid.stepAt(midnight(day) - 1), step - 1);
      const placed = grid.placed(midnight(day) + HOUR);
      assert.is(placed, grid.first + step * DAY + HOUR);
      // As tests count steps
      const { times } = grid.target;
      const asTested = stepsFrom(Math.min(...times), Math.max(...times), fixed(DAY), 10);
      assert.equal(
        [placed, grid.placed(midnight(day)), grid.placed(midnight(day) + 23 * HOUR - 1)].map(time =>
          stepAt(asTested, time),
        ),
        [step, step, step],
      );
    }
    const means = stepMeans(grid, 86_400);
    means.add([midnight(28), midnight(28) + HOUR, midnight(30), midnight(32)], [1, 2, 5, 9]);
    assert.equal(
      [...(means.series().times as Float64Array)].map(time => (time - grid.first) / DAY),
      [1, 3],
    );
    assert.equal([...(means.series().values as Float64Array)], [1.5, 5]);
  });
});
