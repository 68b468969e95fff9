import * as assert from 'uvu/assert';
import type { PipelineCommand } from '../../../domain/pipelines/commands.js';
import { statusOf } from '../../../domain/pipelines/status.js';
import type { Rejected } from '../../../domain/rejected.js';
import { DAY } from '../../../domain/time.js';
import { suite } from '../../suite.js';
import { cycleEntry, of, settings, start } from './given.js';
import { History } from './history.js';

/** With a cap of two credits. */
const begun = (): History => {
  const history = new History();
  const data = { ...of, settings: settings({ monthlyCreditCap: 2 }), owner: 'usr_1', rowsSeen: 0 };
  history.does({ type: 'CreatePipeline', data });
  return history;
};
const retry = (n: number, { at }: History): PipelineCommand => ({
  type: 'StartRetry',
  data: { ...of, at, trainingId: `trn_${n}`, price: 1_000 },
});
const end = (n: number, charged: number): PipelineCommand => ({
  type: 'EndRetry',
  data: { ...of, trainingId: `trn_${n}`, charged },
});
const cycle = ({ at }: History, entries = 2): PipelineCommand =>
  start({ at, trigger: 'schedule', entries: Array.from({ length: entries }, (_, i) => cycleEntry(i)) });
const isExhausted = ({ code }: Rejected): boolean => code === 'budget_exhausted';

suite('trainings of a pipeline that are tried once more', test => {
  test('count to the cap until they are over, for what they cost', () => {
    const history = begun();
    assert.equal(history.all(retry(1, history), retry(1, history), retry(2, history)), [
      'RetryStarted',
      'RetryStarted',
    ]);
    assert.throws(() => history.does(retry(3, history)), isExhausted);
    assert.equal(history.all(end(1, 400), end(1, 400), end(9, 0)), ['RetryEnded']);
    assert.is(history.live.spent.credits, 1_400);
    assert.throws(() => history.does(retry(3, history)), isExhausted);
    history.all(end(2, 0));
    assert.equal(history.all(retry(3, history)), ['RetryStarted']);
    history.at += 31 * DAY;
    assert.equal(history.all(retry(4, history), retry(5, history)), ['RetryStarted', 'RetryStarted']);
    // What is left of the month before changes nothing of this one
    history.all(end(3, 0));
    assert.is(history.live.spent.credits, 2_000);
  });

  test('what they give back lets a cycle begin that they stood in the way of', () => {
    const history = begun();
    assert.equal(history.all(retry(1, history), cycle(history)), ['RetryStarted', 'BudgetBlocked']);
    assert.equal(history.all(cycle(history)), []);
    assert.is(statusOf(history.live, history.at), 'budget_blocked');
    history.does(end(1, 0));
    assert.is(statusOf(history.live, history.at), 'idle');
    assert.equal(history.all(cycle(history)), ['CycleStarted']);
  });

  test('where that is nothing, or of another month, it is blocked still, and too little soon again', () => {
    const history = begun();
    history.all(retry(1, history));
    history.at += 31 * DAY;
    history.all(retry(2, history), retry(3, history));
    assert.equal(history.all(cycle(history)), ['BudgetBlocked']);
    history.all(end(1, 0), end(2, 1_000));
    assert.is(statusOf(history.live, history.at), 'budget_blocked');
    history.all(end(3, 500));
    assert.equal(history.all(cycle(history), cycle(history)), ['BudgetBlocked']);
    assert.is(statusOf(history.live, history.at), 'budget_blocked');
  });

  test('are told of where the pipeline goes, also those of months before', () => {
    const history = begun();
    history.all(retry(1, history), retry(2, history), end(2, 0));
    history.at += 31 * DAY;
    history.all(retry(3, history));
    assert.equal(history.live.spent.credits, 1_000);
    const [gone] = history.does({ type: 'DeletePipeline', data: { ...of, seen: null } });
    assert.equal(gone, {
      type: 'PipelineDeleted',
      data: { pipelineId: 'pip_1', trainings: ['trn_1', 'trn_3'] },
    });
    assert.equal(history.all(retry(4, history), end(1, 0)), []);
  });
});
