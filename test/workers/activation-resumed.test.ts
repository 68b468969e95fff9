import * as assert from 'uvu/assert';
import type { Fact } from '../../domain/fact.js';
import { Rejected } from '../../domain/rejected.js';
import { activation } from '../../workers/activation.js';
import { answerOf, type ReactorDeps } from '../../workers/engine/reactor.js';
import { suite } from '../suite.js';

type Given = { readonly status?: string; readonly champion?: object | null; readonly auto?: string };

/** Triggers of the tournaments that begin when a goal is resumed. */
async function begun({ status = 'active', champion = null, auto = 'on_drift' }: Given, refusal?: Error) {
  const triggers: string[] = [];
  const settings = { options: { autoTournament: auto } };
  const reactor = activation({
    goals: { state: async () => ({ status, champion, settings }) },
    async startTournament({ trigger }: { readonly trigger: string }) {
      triggers.push(trigger);
      if (refusal) throw refusal;
    },
  } as unknown as Parameters<typeof activation>[0]);
  const data = { goalId: 'goa_1' };
  const fact = { id: 'f', type: 'GoalResumed', data, meta: { workspace: 'w', correlation: 'c' } };
  await answerOf(reactor, fact as unknown as Fact, 1, {} as ReactorDeps);
  return triggers;
}

suite('a goal that is resumed', test => {
  test('without a champion is competed for, unless it is not by itself', async () => {
    assert.equal(await begun({}), ['schedule']);
    assert.equal(await begun({ auto: 'weekly' }), ['schedule']);
    assert.equal(await begun({ auto: 'off' }), []);
    assert.equal(await begun({ champion: { name: 'theta' } }), []);
    assert.equal(await begun({ status: 'paused' }), []);
  });

  test('goes on where a tournament runs already', async () => {
    assert.equal(await begun({}, new Rejected('conflict', 'tournament_running', 'One runs')), ['schedule']);
  });
});
