import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { fold } from '../../domain/decider.js';
import { Rejected } from '../../domain/rejected.js';
import { MOST_LOSSES, trainings, type TrainingCommand } from '../../domain/trainings/decider.js';
import type { TrainingFact } from '../../domain/trainings/facts.js';
import { AT_WORK, isOpen, type TrainingState } from '../../domain/trainings/state.js';
import { given, stored } from '../spec.js';
import { suite } from '../suite.js';
import {
  claimed,
  completed,
  completedData,
  id,
  of,
  prepared,
  preparedData,
  progressed,
  queued,
  queuedData,
  requeued,
  told,
} from './trainings-given.js';

const queue = (skipped: { code: string; message: string } | null = null): TrainingCommand => ({
  type: 'QueueTraining',
  data: { workspace: 'w', ...queuedData, skipped },
});
const claim: TrainingCommand = { type: 'ClaimTraining', data: { ...of, worker: 'here' } };
const prepare = (attempt = 1): TrainingCommand => ({
  type: 'PrepareTraining',
  data: { workspace: 'w', ...preparedData(attempt) },
});
const progress = (
  share: number,
  stage: 'preparing' | 'running' | 'evaluating' = 'running',
  attempt = 1,
): TrainingCommand => ({
  type: 'ProgressTraining',
  data: { ...of, attempt, stage, progress: share, lines: [] },
});
const complete = (attempt = 1): TrainingCommand => ({
  type: 'CompleteTraining',
  data: { workspace: 'w', ...completedData(attempt) },
});
const why = { code: 'segment_failed', message: 'no table', retryable: false, lines: [] };
const fail = (attempt: number | null): TrainingCommand => ({
  type: 'FailTraining',
  data: { ...of, ...why, attempt },
});
const lose = (attempt: number, at: number | null = null, isLoss = true): TrainingCommand => ({
  type: 'LoseTraining',
  data: { ...of, attempt, reason: 'gone', isLoss, at },
});
const cancel: TrainingCommand = { type: 'CancelTraining', data: of };
const cancelled = (used: number | null): TrainingFact => ({
  type: 'TrainingCancelled',
  data: {
    trainingId: id,
    used: used === null ? null : { ...queuedData.price, quantity: used, amount: used * 1_000 },
  },
});

suite('trainings, decided', test => {
  test('one is queued once; without credits it is kept as skipped', () => {
    given(trainings).when(queue()).then(queued);
    given(trainings, queued).when(queue()).thenNothing();
    const skip = { code: 'insufficient_credits', message: 'none left' };
    given(trainings)
      .when(queue(skip))
      .then(queued, { type: 'TrainingSkipped', data: { trainingId: id, ...skip } });
  });

  test('of many that try to take it one does', () => {
    given(trainings, queued).when(claim).then(claimed());
    given(trainings, queued, claimed()).when(claim).thenNothing();
    given(trainings, queued, claimed(), requeued(1)).when(claim).then(claimed(2));
  });

  test('what comes from an attempt that was given up changes nothing', () => {
    const past = [queued, claimed(), requeued(1), claimed(2)];
    for (const late of [prepare(1), progress(0.5), complete(1), fail(1), lose(1)])
      given(trainings, ...past)
        .when(late)
        .thenNothing();
  });

  test('progress and stages never go back', () => {
    const past = [queued, claimed(), prepared(), progressed(0.6, 'evaluating')];
    given(trainings, ...past)
      .when(progress(0.4, 'running'))
      .then(progressed(0.6, 'evaluating'));
  });

  test('who is silent for a minute is lost, and the third time it fails', () => {
    const past = [queued, claimed(), prepared()];
    const at = stored(...past).at(-1)!.at;
    given(trainings, ...past)
      .when(lose(1, at + 59_999))
      .thenNothing();
    given(trainings, ...past)
      .when(lose(1, at + 60_000))
      .then(requeued(1));
    const again = [...past, requeued(1), claimed(2), requeued(2), claimed(3)];
    const message = 'It was begun and lost 3 times: gone';
    given(trainings, ...again)
      .when(lose(3))
      .then({
        type: 'TrainingFailed',
        data: { trainingId: id, code: 'worker_lost', message, retryable: true, lines: [], ...told },
      });
  });

  test('what a process gives back since it ends does not count as lost', () => {
    const past = [1, 2, 3, 4].flatMap(attempt => [claimed(attempt), requeued(attempt, false)]);
    given(trainings, queued, ...past, claimed(5))
      .when(lose(5, null, false))
      .then(requeued(5, false));
    given(trainings, queued, ...past, claimed(5))
      .when(lose(5))
      .then(requeued(5));
  });

  test('a part that was done is paid when it is called off, and nothing while it waits', () => {
    given(trainings, queued).when(cancel).then(cancelled(null));
    given(trainings, queued, claimed(), prepared(), progressed(0.25)).when(cancel).then(cancelled(0.25));
    given(trainings, queued, claimed(), prepared(), completed())
      .when(cancel)
      .thenRejected(/nothing left to cancel/);
  });

  test('one without a journal is nowhere', () => {
    given(trainings)
      .when(cancel)
      .thenRejected(/There is no training/);
  });

  test('whatever is asked in whatever order, it ends once, and is charged at most its price', () => {
    const attempt = fc.integer({ min: 1, max: MOST_LOSSES });
    const share = fc.double({ min: -0.5, max: 1.5, noNaN: true });
    const stage = fc.constantFrom('preparing', 'running', 'evaluating');
    const command: fc.Arbitrary<TrainingCommand> = fc.oneof(
      fc.constantFrom(queue(), claim, cancel),
      attempt.map(prepare),
      fc.tuple(share, stage, attempt).map(([done, at, of]) => progress(done, at, of)),
      attempt.map(complete),
      fc.option(attempt).map(fail),
      attempt.map(each => lose(each)),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), commands => {
        const facts: TrainingFact[] = [];
        let state: TrainingState = trainings.initialState;
        for (const each of [queue(), ...commands]) {
          const made = decidedOr(each, state);
          facts.push(...made);
          const before = state;
          state = fold(trainings, trainings.initialState, stored(...facts));
          if (before.status !== 'none' && !isOpen(before.status)) assert.equal(made, []);
          if (before.status !== 'none' && state.status !== 'none' && AT_WORK.includes(state.status))
            assert.ok(state.progress >= before.progress || state.attempt > before.attempt);
        }
        const ends = facts.filter(({ type }) => /(Completed|Failed|Skipped|Cancelled)$/.test(type));
        assert.ok(ends.length <= 1);
        const [end] = ends;
        if (end?.type === 'TrainingCancelled' && end.data.used)
          assert.ok(end.data.used.amount > 0 && end.data.used.amount <= queuedData.price.amount);
        assert.ok(facts.filter(({ type }) => type === 'TrainingClaimed').length <= MOST_LOSSES);
      }),
    );
  });
});

function decidedOr(command: TrainingCommand, state: TrainingState): readonly TrainingFact[] {
  try {
    return trainings.decide(command, state);
  } catch (error) {
    if (error instanceof Rejected) return [];
    throw error;
  }
}
