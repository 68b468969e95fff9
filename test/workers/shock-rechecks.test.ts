import * as assert from 'uvu/assert';
import type { Fact } from '../../domain/fact.js';
import type { ShockExited } from '../../domain/shocks/facts.js';
import { answerOf, type ReactorDeps } from '../../workers/engine/reactor.js';
import { shockRechecks } from '../../workers/shocks/rechecks.js';
import { suite } from '../suite.js';

type Exit = Pick<ShockExited['data'], 'reason' | 'grade'>;

/** The edges that are looked at again when a shock ends. */
async function rechecked({ reason, grade }: Exit): Promise<readonly string[]> {
  const looked: string[] = [];
  const reactor = shockRechecks({
    start: { recheck: async (_of, edgeIds) => ({ discoveryId: 'dis_1', position: looked.push(...edgeIds) }) },
  });
  const data = { goalId: 'goa_1', reason, grade, edgeIds: ['edg_1'] };
  const fact = { id: 'f', type: 'ShockExited', data, meta: { workspace: 'w', correlation: 'c' } };
  await answerOf(reactor, fact as unknown as Fact, 1, {} as ReactorDeps);
  return looked;
}

suite('edges after a shock', test => {
  const won = { steps: 6, blendLoss: 1, championLoss: 2 };
  const lost = { steps: 6, blendLoss: 2, championLoss: 1 };
  const ungraded = { steps: 0, blendLoss: null, championLoss: null };

  test('are looked at again where time alone ended it, or the champion alone was better', async () => {
    assert.equal(await rechecked({ reason: 'recovered', grade: lost }), ['edg_1']);
    assert.equal(await rechecked({ reason: 'timeout', grade: ungraded }), ['edg_1']);
    assert.equal(await rechecked({ reason: 'recovered', grade: won }), []);
    assert.equal(await rechecked({ reason: 'goal_stopped', grade: ungraded }), []);
  });
});
