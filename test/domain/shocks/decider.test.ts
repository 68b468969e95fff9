import * as assert from 'uvu/assert';
import type { BlendRefitted, ShockExited, ShockRecovering } from '../../../domain/shocks/facts.js';
import { suite } from '../../suite.js';
import { CURVE, exit, grade, History, NOW, of, qualify, remove, step, time } from './given.js';

const inShock = (): History => {
  const history = new History();
  history.does(qualify());
  return history;
};
const last = <D>(history: History): D => history.facts.at(-1)!.data as D;

suite('shocks', test => {
  test('an event that reached the bar begins one; the same does not again', () => {
    const history = new History();
    assert.equal(history.does(qualify()), ['ShockEntered']);
    assert.is(history.episode!.state, 'shock');
    assert.is(history.episode!.since, NOW);
    assert.equal(history.does(qualify()), []);
    assert.equal(history.does(qualify({}, NOW + 1)), []);
  });

  test('one whose response is all but gone begins none', () => {
    assert.equal(new History().does(qualify({ occurredAt: NOW - 9 * 3_600_000 })), []);
    assert.equal(new History().does(qualify({ occurredAt: NOW - 7 * 3_600_000 })), ['ShockEntered']);
  });

  test('another one makes it deeper, and also brings one back that recovers', () => {
    const history = inShock();
    assert.equal(history.does(qualify({ eventId: 'evt_2' })), ['ShockDeepened']);
    assert.is(history.episode!.depth, 2);
    assert.equal(history.does(exit()), ['ShockRecovering']);
    assert.equal(history.does(qualify({ eventId: 'evt_3' })), ['ShockDeepened']);
    assert.is(history.episode!.state, 'shock');
    assert.is(history.episode!.episodeId, 'shk_1');
  });

  test('below a quarter of the response it recovers', () => {
    const history = inShock();
    assert.equal(history.does(time(8)), []);
    assert.equal(history.does(time(8.1)), ['ShockRecovering']);
    assert.is(last<ShockRecovering['data']>(history).reason, 'faded');
    assert.equal(history.does(time(8.2)), []);
  });

  test('it is over below a twentieth, where the champion was right three times in a row', () => {
    const history = inShock();
    history.does(time(8.1));
    assert.equal(history.does(time(18)), []);
    history.does(grade(step(1, 1, 1), step(2, 1, 1, false), step(3, 1, 1), step(4, 1, 1)));
    assert.equal(history.does(time(18)), []);
    history.does(grade(step(5, 1, 1)));
    assert.equal(history.does(time(17)), [], 'more than a twentieth remains');
    assert.equal(history.does(time(18)), ['ShockExited']);
    assert.is(last<ShockExited['data']>(history).reason, 'recovered');
    assert.is(history.episode, null);
  });

  test('it recovers where the champion alone was better five times in a row', () => {
    const history = inShock();
    const better = [1, 2, 3, 4].map(h => step(h, 1, 2));
    history.does(grade(...better), grade(step(5, 2, 1)), grade(...[6, 7, 8, 9].map(h => step(h, 1, 2))));
    assert.is(history.episode!.state, 'shock');
    assert.equal(history.does(grade(step(10, 1, 2))), ['ShockStepsGraded', 'ShockRecovering']);
    assert.is(last<ShockRecovering['data']>(history).reason, 'champion_recovered');
  });

  test('a person lets it recover, once, and what was said is kept', () => {
    const history = inShock();
    assert.equal(history.does(exit()), ['ShockRecovering']);
    assert.is(last<ShockRecovering['data']>(history).note, 'false alarm');
    assert.throws(() => history.does(exit()), /recovering/);
    assert.throws(() => new History().does(exit()), /normal/);
  });

  test('twelve half-lives after its beginning it is over, and after thirty days', () => {
    const history = inShock();
    assert.equal(history.does(time(47.9)), ['ShockRecovering']);
    assert.equal(history.does(time(48)), ['ShockExited']);
    assert.is(last<ShockExited['data']>(history).reason, 'timeout');
    const long = new History();
    long.does(qualify({ halfLifeS: 100 * 86_400 }));
    assert.equal(long.does(time(30 * 24 - 1)), []);
    assert.equal(long.does(time(30 * 24)), ['ShockExited']);
  });

  test('without its edge it is none; another cause that acts keeps it', () => {
    const history = inShock();
    assert.equal(history.does(remove('evt_9')), []);
    history.does(qualify({ eventId: 'evt_2' }));
    assert.equal(history.does(remove('evt_1')), ['ShockCauseRemoved']);
    assert.is(history.episode!.state, 'shock');
    const left = ['ShockCauseRemoved', 'ShockRecovering', 'ShockExited'];
    assert.equal(history.does(remove('evt_2')), left, 'what recovers from nothing is normal at once');
    assert.is(history.episode, null);
    const { reason, edgeIds } = last<ShockExited['data']>(history);
    assert.equal([reason, edgeIds], ['cause_removed', []], 'no edge acted to the end');
    const recovering = inShock();
    recovering.does(exit());
    assert.equal(recovering.does(remove('evt_1')), ['ShockCauseRemoved', 'ShockExited']);
    assert.is(last<ShockExited['data']>(recovering).reason, 'cause_removed');
  });

  test('what is left is the largest share of any cause', () => {
    const history = new History();
    history.does(qualify({ response: CURVE }), qualify({ eventId: 'evt_2', halfLifeS: 100 * 3_600 }));
    assert.equal(history.does(time(20)), []);
    const left = ['ShockCauseRemoved', 'ShockRecovering', 'ShockExited'];
    assert.equal(history.does(remove('evt_2', 20)), left);
  });

  test('one that was left to recover from nothing before is over when it is looked at', () => {
    const history = inShock();
    const { episodeId } = history.episode!;
    const told = { goalId: of.goalId, episodeId };
    history.holds(
      { type: 'ShockCauseRemoved', data: { ...told, eventId: 'evt_1', gone: 'event' } },
      { type: 'ShockRecovering', data: { ...told, reason: 'cause_removed', note: null, remaining: 0 } },
    );
    assert.is(history.episode!.state, 'recovering');
    assert.equal(history.does(time(0.1)), ['ShockExited']);
    assert.is(last<ShockExited['data']>(history).reason, 'cause_removed');
  });

  test('steps are graded once; what was lost changes the bar of its streams', () => {
    const lost = inShock();
    assert.equal(lost.does(grade(step(1, 1, 2))), ['ShockStepsGraded']);
    assert.equal(lost.does(grade(step(1, 1, 2))), []);
    lost.does(time(48));
    assert.equal(lost.state.bars, { news: 0.05 });
    assert.equal(last<ShockExited['data']>(lost).grade, { steps: 1, blendLoss: 2, championLoss: 1 });
    const won = inShock();
    won.does(grade(step(1, 2, 1)), time(48));
    assert.equal(won.state.bars, { news: -0.02 });
    // After it is over what comes is graded, too, and says nothing of the next
    won.does(qualify({ eventId: 'evt_2', occurredAt: NOW + 48 * 3_600_000 }, NOW + 48 * 3_600_000));
    assert.equal(won.does(grade(step(2, 2, 1))), ['ShockStepsGraded']);
  });

  test('after twenty graded steps weights move by a tenth where that helps', () => {
    const history = inShock();
    const steps = Array.from({ length: 19 }, (_, h) => step(h, 10, 5));
    assert.equal(history.does(grade(...steps)), ['ShockStepsGraded']);
    assert.equal(history.does(grade(step(19, 10, 5))), ['ShockStepsGraded', 'BlendRefitted']);
    const { before, after, evidence, phase } = last<BlendRefitted['data']>(history);
    assert.is(phase, 'first');
    assert.equal(before, { champion: 0.4, generalist: 0.25, response: 0.35 });
    assert.ok(after.response > before.response);
    for (const name of ['champion', 'generalist', 'response'] as const)
      assert.ok(Math.abs(after[name] - before[name]) <= 0.1 + 1e-12);
    assert.ok(evidence.lossAfter < evidence.lossBefore);
    assert.is(evidence.heldOut, 10);
    assert.equal(history.state.blend.weights.first, after);
    assert.equal(history.state.samples.first, []);
    assert.equal(history.does(grade(step(20, 10, 5))), ['ShockStepsGraded']);
  });

  test('steps of all forecasts of the shock count, of four actuals at least', () => {
    const history = inShock();
    const steps = Array.from({ length: 4 }, (_, h) => {
      const { newest, ...rest } = step(h, 10, 5);
      return { ...rest, newest, earlier: Array(h < 3 ? 6 : 1).fill(newest) };
    });
    assert.equal(history.does(grade(...steps.slice(0, 3))), ['ShockStepsGraded'], '21 of three');
    assert.equal(history.does(grade(steps[3]!)), ['ShockStepsGraded', 'BlendRefitted']);
    const { evidence } = last<BlendRefitted['data']>(history);
    assert.equal([evidence.fitted, evidence.heldOut], [14, 9]);
  });

  test('bands of the next one are wider where actuals fell out of these', () => {
    const history = inShock();
    history.does(grade(step(1, 1, 1, false)));
    assert.ok(Math.abs(history.state.bandK - 1.32) < 1e-12);
    history.does(grade(step(2, 1, 1)));
    assert.ok(Math.abs(history.state.bandK - 1.24) < 1e-12);
    const ofFour = { ...step(3, 1, 1), forecastIds: ['a', 'b', 'c', 'd'] };
    history.does(grade({ ...ofFour, outside: 2 }));
    assert.ok(Math.abs(history.state.bandK - 1.36) < 1e-12, 'half of its forecasts missed it');
    history.does(grade({ ...ofFour, ...step(4, 1, 1, false), forecastIds: ofFour.forecastIds, outside: 1 }));
    assert.ok(Math.abs(history.state.bandK - 1.38) < 1e-12, 'the newest missed it, three did not');
    history.does(grade(...Array.from({ length: 100 }, (_, h) => step(10 + h, 1, 1, false))));
    assert.is(history.state.bandK, 3);
    assert.is(history.state.blend.bandK, 1, 'within an episode bands only narrow');
    const later = NOW + 48 * 3_600_000;
    history.does(time(48), qualify({ eventId: 'evt_2', occurredAt: later }, later));
    assert.is(history.state.blend.bandK, 3);
  });

  test('bands of an episode narrow where actuals stay inside of them, and stay so', () => {
    const history = inShock();
    history.does(grade(step(1, 1, 1), step(2, 1, 1)));
    assert.ok(Math.abs(history.state.blend.bandK - 0.84) < 1e-12);
    history.does(grade(step(3, 1, 1, false)), qualify({ eventId: 'evt_2' }));
    assert.ok(Math.abs(history.state.bandK - 1.16) < 1e-12);
    assert.ok(Math.abs(history.state.blend.bandK - 0.84) < 1e-12);
    history.does(grade(...Array.from({ length: 40 }, (_, h) => step(4 + h, 1, 1))));
    assert.equal([history.state.bandK, history.state.blend.bandK], [0, 0]);
  });

  test('what was graded before bands narrowed within an episode leaves its bands as they were', () => {
    const history = inShock();
    const data = { goalId: of.goalId, episodeId: 'shk_1', steps: [step(1, 1, 1)], bandK: 0.96 };
    history.holds({ type: 'ShockStepsGraded', data });
    assert.equal([history.state.bandK, history.state.blend.bandK], [0.96, 1]);
  });

  test('a goal that rests has no shock', () => {
    const stop = { type: 'StopShock', data: { ...of, why: 'goal_stopped', now: NOW } } as const;
    assert.equal(inShock().does(stop), ['ShockExited']);
    assert.equal(new History().does(stop), []);
  });
});
