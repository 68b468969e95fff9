import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import {
  driven,
  edge,
  edgeFits,
  edgeOf,
  INCIDENT,
  plant,
  record,
  summary,
  turn,
  type Plant,
} from './discovery.js';
import { fits, goal, HOUR, openGoals } from './goals.js';
import { item } from './inbox.js';
import { expected, type World } from './world.js';

// What becomes of an edge: pinned, blocked, looked at again, weakening, retired (specification 2.7; open-
// parts 15, 21, 32.28, 32.29). Readings: pin, block and unblock answer 200 with the edge; a blocked stream
// counts for no goal, whether its summary is null or says 0.

suite('acceptance: states of edges', test => {
  let world: World;
  let of: Plant;
  let id = '';
  let edgeId = '';
  const now = () => edge(world.api, id, edgeId);
  const turned = async (how: string, status = 200): Promise<Json> =>
    expected(await turn(world.api, id, edgeId, how), status);
  const inState = (...statuses: string[]) =>
    edgeFits(world.api, id, edgeId, ({ status }) => statuses.includes(status), statuses.join(' or '));
  /** Looks at the edge again, to the end of it. */
  const rechecked = async (): Promise<Json> => {
    const before = await now();
    world.later(60_000);
    await turned('recheck', 202);
    const later = (found: Json) => found.last_checked_at > before.last_checked_at;
    return edgeFits(world.api, id, edgeId, later, 'a later check');
  };
  const affected = async (): Promise<number> =>
    (await summary(world.api, 'plant.incidents')).edges?.goals_affected ?? 0;
  test.before(async () => {
    world = await openGoals({ RATE_HEAVY: '10000' });
    of = await plant(world, { more: false });
    id = await driven(world.api);
    edgeId = (await edgeOf(world.api, id, 'plant.incidents')).edge_id;
  });
  test.after(() => world.close());

  test('looked at again it stands as it stood', async () => {
    assert.is((await now()).status, 'validated');
    const before = (await now()).history.length;
    const after = await rechecked();
    assert.is(after.status, 'validated');
    assert.ok(after.history.length >= before);
    assert.is(await affected(), 1);
  });

  test('blocked it is used for nothing, until it is unblocked and has stood a check', async () => {
    await turned('block');
    assert.is((await now()).status, 'blocked');
    assert.is(await affected(), 0);
    assert.is((await goal(world.api, id)).edges.validated, 0);
    await turned('block');
    assert.is((await now()).status, 'blocked', 'once more changes nothing');
    await turned('unblock');
    assert.is.not((await now()).status, 'blocked');
    await inState('validated');
    assert.is(await affected(), 1);
    const { history } = await now();
    assert.match(JSON.stringify(history), 'blocked', 'its history is kept');
  });

  test('pinned it counts as validated', async () => {
    await turned('pin');
    assert.is((await now()).status, 'pinned');
    assert.is(await affected(), 1);
    assert.is((await goal(world.api, id)).edges.validated, 1);
    assert.is((await rechecked()).status, 'pinned');
  });

  test('a state outlives a restart', async () => {
    const before = await now();
    await world.restart();
    assert.equal(await now(), before);
  });

  test('when what it says comes no more, it weakens', async () => {
    await turned('block');
    await turned('unblock');
    await inState('validated');
    // At no hours of the day in particular: what comes every eight hours is a season's as well as a stream's
    const hours = Array.from({ length: 200 }, (_, k) => 30 + 8 * k + ((k * k) % 7));
    const quiet = hours.map(hour => of.from + hour * HOUR + 1_000);
    await record(world.api, 'plant.incidents', INCIDENT, quiet);
    // Two hundred incidents that did nothing: most of the stream
    await until(async () => {
      const { status } = await now();
      if (['weakening', 'retired'].includes(status)) return true;
      await rechecked();
      return null;
    }, 'the edge weakening');
    const weak = await now();
    if (weak.status === 'weakening') {
      assert.type(weak.weakening_since, 'string');
      const { edges } = await summary(world.api, 'plant.incidents');
      assert.equal([edges.goals_affected, edges.weakening], [1, 1]);
      assert.equal((await goal(world.api, id)).edges.weakening, 1);
    }
    const told = await item(world.api, 'edge.weakening', ({ data }) => data.edge_id === edgeId);
    assert.is(told.goal_id, id);
  });

  test('after three failed checks it is retired, and people are told', async () => {
    for (let i = 0; i < 4 && (await now()).status !== 'retired'; i++) await rechecked();
    assert.is((await now()).status, 'retired');
    assert.is(await affected(), 0);
    await fits(world.api, id, ({ edges }) => edges.validated + edges.weakening === 0, 'no edge in force');
    await item(world.api, 'edge.retired', ({ data }) => data.edge_id === edgeId);
    const { history } = await now();
    for (const status of ['validated', 'blocked', 'weakening', 'retired'])
      assert.match(JSON.stringify(history), status);
  });
});
