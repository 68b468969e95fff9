import * as assert from 'uvu/assert';
import { simulated } from '../../commands/shocks/simulating.js';
import type { ActingEdge, TargetHistory } from '../../domain/goals/ports.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import { insufficient } from '../../domain/inference/history.js';
import { fadedBy } from '../../domain/shocks/state.js';
import { HOUR } from '../../domain/time.js';
import { exit, History, NOW, qualify, remove } from '../domain/shocks/given.js';
import { suite } from '../suite.js';

const curve = {
  ...{ stepS: 3_600, scale: 1, preTrendP: 1 },
  points: [8, 4, 2, 1].map((effect, h) => ({
    ...{ offsetS: h * 3_600, effect, lower: effect, upper: effect, mean: effect, n: 9 },
  })),
};
const edge = {
  ...{ edgeId: 'edg_1', goalId: 'goa_1', kind: 'event_stream', sourceKey: 'news', curve, halfLifeS: 3_600 },
  weighing: { by: 'none', mean: 1 },
} as unknown as ActingEdge;
const goal = {
  status: 'active',
  settings: {
    ...{ target: 'sales', stepS: 3_600, timezone: 'UTC', horizon: 4, cadenceS: 3_600 },
    options: { shockEnabled: true, importanceBar: 0.5 },
  },
} as unknown as LiveGoal;

/** What an event does that happens so many hours from now, where the target's newest step is one before. */
async function responseTo(hours: number, newest: number | null) {
  const { response } = await simulated(
    {
      importances: async () => [],
      async targetOf(_, { target }) {
        if (newest === null) throw insufficient(target, 0);
        return { cutoff: NOW + newest * HOUR } as TargetHistory;
      },
    },
    {
      ...{ workspace: 'w', goalId: 'goa_1', goal, state: new History().state, edge, now: NOW + 60_000 },
      event: { stream: 'news', importance: 0.9, occurredAt: NOW + hours * HOUR + 60_000 },
    },
  );
  return response.map(({ time, effect }) => [(time - NOW) / HOUR, effect]);
}

suite('what an event would do', test => {
  test('is told from the step that a forecast begins at: the one after the newest', async () => {
    const now = [
      [0, 8],
      [1, 4],
      [2, 2],
      [3, 1],
    ];
    assert.equal(await responseTo(0, -1), now);
    assert.equal(await responseTo(0, null), now, 'where there is none it is that of the event');
    assert.equal(await responseTo(0, 0), [...now.slice(1), [4, 0]]);
    assert.equal(await responseTo(0, -3), [[-2, 0], [-1, 0], ...now.slice(0, 2)]);
  });

  test('at a time to come the newest step is as far behind as it is now', async () => {
    const [hours] = (await responseTo(5, -1))[0]!;
    assert.is(hours, 5);
    assert.equal((await responseTo(5, -2)).slice(0, 2), [
      [4, 0],
      [5, 8],
    ]);
  });

  test('at a time to come what has faded is over, or recovers', () => {
    const history = new History();
    assert.is(fadedBy(history.state, NOW).episode, null);
    history.does(qualify());
    const at = (hours: number) => fadedBy(history.state, NOW + hours * HOUR).episode?.state ?? 'normal';
    assert.equal([at(7.9), at(8.1), at(17), at(18)], ['shock', 'recovering', 'recovering', 'normal']);
    history.does(qualify({ eventId: 'evt_2', halfLifeS: 40 * 3_600 }), remove('evt_2'), exit());
    assert.equal([at(1), at(17), at(18)], ['recovering', 'recovering', 'normal']);
  });
});
