import * as assert from 'uvu/assert';
import type { PipelineCommand } from '../../../domain/pipelines/commands.js';
import { suite } from '../../suite.js';
import { comparison, created, cycleEntry, failure, note, NOW, of, result, settings, start } from './given.js';
import { History } from './history.js';

const begun = (over: Parameters<typeof settings>[0] = {}): History => {
  const history = new History();
  history.does({
    type: 'CreatePipeline',
    data: { ...of, settings: settings(over), owner: 'usr_1', rowsSeen: 0 },
  });
  return history;
};
const refused = (history: History, command: PipelineCommand): string => {
  try {
    history.does(command);
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

suite('cycles of a pipeline', test => {
  test('it is made once', () => {
    const history = new History();
    const command = {
      type: 'CreatePipeline',
      data: { ...of, settings: settings(), owner: 'usr_1', rowsSeen: 0 },
    } as const;
    assert.equal(history.does(command), [{ type: 'PipelineCreated', data: created().data }]);
    assert.equal(history.does(command), []);
  });

  test('a cycle begins with all entries, against what serves', () => {
    const history = begun();
    const [fact] = history.does(start());
    assert.is(fact!.type, 'CycleStarted');
    assert.equal((fact as { data: { against: unknown; number: number } }).data.against, null);
    assert.is(history.live.cycle?.number, 1);
    assert.is(history.live.rowsSeen, 100);
  });

  test('beside one that is not over none begins: asked by hand it is refused, by itself it is left', () => {
    const history = begun();
    history.does(start());
    assert.is(refused(history, start()), 'cycle_running');
    assert.equal(history.does(start({ trigger: 'schedule', number: 2 })), []);
  });

  test('paused: refused by hand, left by itself', () => {
    const history = begun();
    history.does({ type: 'PausePipeline', data: of });
    assert.is(refused(history, start()), 'pipeline_paused');
    assert.equal(history.does(start({ trigger: 'schedule' })), []);
    history.does({ type: 'ResumePipeline', data: of });
    assert.equal(history.all(start({ trigger: 'schedule' })), ['CycleStarted']);
  });

  test('one that was begun on an old view is not begun twice', () => {
    const history = begun();
    history.all(start({ trigger: 'schedule', entries: [cycleEntry(1)] }), note(failure(1)));
    assert.equal(history.does(start({ trigger: 'schedule', number: 1 })), []);
    assert.equal(history.all(start({ trigger: 'schedule', number: 2 })), ['CycleStarted']);
  });

  test('it ends with its last training, and a training is noted once', () => {
    const history = begun();
    history.does(start());
    assert.equal(history.all(note(result(2)), note(result(2))), ['CycleTrained']);
    assert.equal(history.all(note(failure(1))), [
      'CycleTrained',
      'CycleEnded',
      'CandidateProposed',
      'DecisionRequested',
    ]);
    assert.is(history.live.cycle, null);
    assert.equal(history.all(note(result(1))), []);
    assert.is(history.live.candidate?.trainingId, 'trn_2');
  });

  test('nothing came of it: it failed', () => {
    const history = begun();
    history.does(start());
    history.does(note(failure(1)));
    assert.equal(history.does(note(failure(2))).at(-1), {
      type: 'CycleEnded',
      data: {
        ...{ pipelineId: 'pip_1', cycleId: 'cyc_1', status: 'failed', best: null, outcome: 'no_result' },
      },
    });
  });

  test('what cannot be trained at all is not waited for', () => {
    const gone = { code: 'not_found', message: 'gone' };
    const history = begun();
    history.does(start({ entries: [cycleEntry(1), cycleEntry(2, { refused: gone })] }));
    assert.equal(history.all(note(failure(1))), ['CycleTrained', 'CycleEnded']);
    const none = [cycleEntry(1, { refused: gone })];
    assert.equal(history.all(start({ cycleId: 'cyc_2', number: 2, entries: none })), [
      'CycleStarted',
      'CycleEnded',
    ]);
  });

  test('a result without anything to deploy is no candidate, however good', () => {
    const history = begun();
    history.all(start(), note(result(1, { isServable: false })), note(result(2)));
    assert.is(history.live.candidate?.trainingId, 'trn_2');
  });

  test('of equal scores the first of the pool is taken', () => {
    const history = begun();
    history.all(start(), note(result(2, { score: 0.5 })), note(result(1, { score: 0.5 })));
    assert.is(history.live.candidate?.trainingId, 'trn_1');
  });
});

suite('the budget of a month', test => {
  const cost = start().data.entries.reduce((sum, { price }) => sum + price, 0) / 1_000;
  const run = (number: number, at: number): PipelineCommand =>
    start({ cycleId: `cyc_${number}`, number, at, trigger: 'schedule' });
  const over = (history: History, number: number, charged: number): void => {
    for (const n of [1, 2]) history.does(note(result(n, { charged }), { cycleId: `cyc_${number}` }));
  };

  test('what would go past it does not begin, and that is said once a month', () => {
    const history = begun({ monthlyCreditCap: cost });
    history.does(run(1, NOW));
    over(history, 1, 1_000);
    assert.equal(history.does(run(2, NOW)), [
      {
        type: 'BudgetBlocked',
        data: { pipelineId: 'pip_1', month: '2026-11', needed: 2_000, spent: 2_000, cap: 2_000 },
      },
    ]);
    assert.equal(history.does(run(2, NOW)), []);
    history.at = Date.UTC(2026, 11, 1);
    assert.equal(history.all(run(2, history.at)), ['CycleStarted']);
  });

  test('what was not charged is there again, and a higher cap lets it go on', () => {
    const history = begun({ monthlyCreditCap: cost });
    history.does(run(1, NOW));
    over(history, 1, 0);
    assert.equal(history.all(run(2, NOW)), ['CycleStarted']);
    over(history, 2, 1_000);
    assert.equal(history.all(run(3, NOW)), ['BudgetBlocked']);
    const raised = settings({ monthlyCreditCap: 2 * cost });
    history.does({ type: 'ChangePipeline', data: { ...of, settings: raised, seen: null } });
    assert.equal(history.all(run(3, NOW)), ['CycleStarted']);
  });

  test('no cap, or one of 0, is none', () => {
    for (const monthlyCreditCap of [null, 0])
      assert.equal(begun({ monthlyCreditCap }).all(run(1, NOW)), ['CycleStarted']);
  });

  test('a cap is a cap however small, is rounded down, and holds to its last digit', () => {
    for (const monthlyCreditCap of [Number.MIN_VALUE, 0.0004, 0.4, cost - 0.0004])
      assert.equal(begun({ monthlyCreditCap }).all(run(1, NOW)), ['BudgetBlocked'], `${monthlyCreditCap}`);
    // A thousand times 1.001 is below 1,001
    const entries = start().data.entries.map((entry, i) => ({ ...entry, price: i === 0 ? 1_001 : 0 }));
    const dear = start({ trigger: 'schedule', entries });
    assert.equal(begun({ monthlyCreditCap: 1.001 }).all(dear), ['CycleStarted']);
    assert.equal(begun({ monthlyCreditCap: 1.0009 }).all(dear), ['BudgetBlocked']);
  });
});

suite('who becomes the candidate', test => {
  /** A pipeline with something that serves. */
  const serving = (over: Parameters<typeof settings>[0] = {}): History => {
    const history = begun(over);
    history.all(start(), note(result(1)), note(failure(2)));
    const { candidateId } = history.live.candidate!;
    history.does({
      type: 'DecidePromotion',
      data: {
        ...{ ...of, at: NOW, decision: 'approve', candidateId, demotePrevious: null, reason: null },
        ...{ until: null, seen: null, by: 'usr_1' },
      },
    });
    history.does({ type: 'StartPromotion', data: { ...of, candidateId, promotionId: 'prm_1' } });
    history.does({ type: 'ConfirmPromotion', data: { ...of, promotionId: 'prm_1' } });
    return history;
  };
  const next = (history: History, ...results: Parameters<typeof note>[0][]): string | undefined => {
    const entries = results.map((_, i) => cycleEntry(i + 1));
    history.does(start({ cycleId: 'cyc_2', number: 2, entries }));
    const said = { cycleId: 'cyc_2', candidateId: 'cnd_2' };
    for (const each of results) history.does(note(each, said));
    const last = history.facts.findLast(({ type }) => type === 'CycleEnded');
    return last?.type === 'CycleEnded' ? last.data.outcome : undefined;
  };

  test('what beats the one that serves, as far as can be told', () => {
    assert.is(next(serving(), result(1, { comparison: comparison(0.1) })), 'candidate');
    assert.is(next(serving(), result(1, { comparison: comparison(0.1, -0.01) })), 'not_better');
    assert.is(next(serving(), result(1, { comparison: comparison(-0.1, -0.2) })), 'not_better');
    assert.is(next(serving(), result(1)), 'not_comparable');
  });

  test('the least improvement that is asked for counts at the lower end', () => {
    const policy = { mode: 'manual', demotePrevious: true, minImprovement: 0.05 } as const;
    assert.is(next(serving({ policy }), result(1, { comparison: comparison(0.1, 0.04) })), 'not_better');
    assert.is(next(serving({ policy }), result(1, { comparison: comparison(0.1, 0.06) })), 'candidate');
  });

  test('mode off: none', () => {
    const history = begun({ policy: { mode: 'off', demotePrevious: true, minImprovement: 0 } });
    history.all(start(), note(result(1)), note(result(2)));
    assert.is(history.live.candidate, null);
  });

  test('where something else serves by now: none', () => {
    const history = serving();
    history.does(start({ cycleId: 'cyc_2', number: 2, entries: [cycleEntry(1)] }));
    history.does({ type: 'EndServing', data: { ...of, promotionId: 'prm_1' } });
    const said = { cycleId: 'cyc_2', candidateId: 'cnd_2' };
    history.does(note(result(1, { comparison: comparison(0.5) }), said));
    assert.is(history.live.candidate, null);
  });
});
