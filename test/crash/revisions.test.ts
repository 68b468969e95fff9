import * as assert from 'uvu/assert';
import type { Fact } from '../../domain/fact.js';
import type { RevisionFact } from '../../domain/revisions/facts.js';
import { suite } from '../suite.js';
import { memoryDisk } from './deaths.js';
import { MERGE_MS, RevisionsLife } from './revisions-life.js';

const EACH = 3;
const ROUNDS = 2;
const AT_ONCE = 8;

type Of<T extends RevisionFact['type']> = Fact<Extract<RevisionFact, { type: T }>>;

/** Revisions of some late events, a minute's together, twice; killed at the points of a plan. */
async function run(plan: readonly number[]) {
  const life = new RevisionsLife(memoryDisk(), plan);
  await life.begin();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (let i = 0; i < EACH; i++) await life.recordLate(round * EACH + i);
      life.now += MERGE_MS;
      await life.until((round + 1) * EACH);
    }
    const facts = await life.facts();
    const all = <T extends RevisionFact['type']>(type: T) =>
      facts.filter(each => each.type === type) as unknown as readonly Of<T>[];
    const causes = [...all('RevisionQueued'), ...all('RevisionCausesAdded')].flatMap(({ data }) =>
      data.causes.map(({ eventId }) => eventId),
    );
    return {
      said: {
        causes: causes.sort(),
        revisions: all('RevisionQueued').length,
        applied: all('HistoryRevised').map(({ data }) => [data.causes, data.affected]),
        goals: all('GoalRevised').map(({ data }) => [data.goalId, data.rowsChanged, data.edgeChanges.length]),
        checks: life.checks.size,
      },
      deaths: life.deaths,
    };
  } finally {
    await life.end();
  }
}

suite('revisions of history, killed at any write', test => {
  test('each cause is in one of them, and each is made once', async () => {
    const calm = await run([]);
    assert.equal(calm.said, {
      causes: ['evt_0', 'evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5'],
      revisions: ROUNDS,
      applied: Array.from({ length: ROUNDS }, () => [EACH, 2]),
      goals: Array.from({ length: ROUNDS }, () => [
        ['goa_1', EACH, 1],
        ['goa_2', EACH, 1],
      ]).flat(),
      checks: 2 * ROUNDS,
    });
    let deaths = 0;
    const points = Array.from({ length: calm.deaths.points }, (_, n) => n);
    const dying = async (): Promise<void> => {
      for (let n = points.shift(); n !== undefined; n = points.shift()) {
        const plan = n % 3 === 0 ? [n, n % 7, (n % 11) + 3] : [n];
        const killed = await run(plan);
        assert.equal(killed.said, calm.said, `deaths at ${plan.join(', ')}`);
        deaths += killed.deaths.count;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, dying));
    console.log(`${calm.deaths.points} points to die at, ${deaths} deaths`);
    assert.ok(deaths > calm.deaths.points / 2);
  });
});
