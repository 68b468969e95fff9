import { inferences, type InferenceCommand } from '../../../domain/inference/decider.js';
import type {
  ForecastGraded,
  InferenceCompleted,
  InferenceFact,
  InferenceRequested,
} from '../../../domain/inference/facts.js';
import { given } from '../../spec.js';
import { suite } from '../../suite.js';

const of = { workspace: 'w', inferenceId: 'inf_1' };
const asked: Omit<InferenceRequested['data'], 'inferenceId'> = {
  task: 'forecast',
  promotionId: 'prm_1',
  request: { value: { key: 'orders' } },
  key: 'orders',
  series: 1,
  horizon: 2,
  queued: true,
};
const answered: Omit<InferenceCompleted['data'], 'inferenceId'> = {
  task: 'forecast',
  promotionId: 'prm_1',
  model: { family: 'presage', slug: 'nano', version: 'v', name: 'nano' },
  answer: { value: { levels: [0.5], forecasts: [] } },
  read: [{ key: 'orders', of: null, revision: 4, asOf: null, from: 0, points: 9, hash: 'h' }],
  upTo: 7,
  inputsHash: 'aa',
  seed: 1,
  codeVersion: 'c',
  series: 1,
  horizon: 2,
  cutoff: 8,
  inputPoints: 9,
  outputPoints: 2,
  tookMs: 3,
  cached: false,
  askedBy: 'token:t',
  awaits: { workspace: 'w', key: 'orders', until: 10, ends: 11, over: 13 },
};
const grade = {
  n: 2,
  mase: 1,
  rmsse: 1,
  smape: 1,
  mae: 1,
  crps: 1,
  coverage80: null,
  coverage95: null,
  bias: 0,
};

const requested: InferenceFact = { type: 'InferenceRequested', data: { inferenceId: 'inf_1', ...asked } };
const started = (attempt: number): InferenceFact => ({
  type: 'InferenceStarted',
  data: { inferenceId: 'inf_1', attempt },
});
const completed: InferenceFact = { type: 'InferenceCompleted', data: { inferenceId: 'inf_1', ...answered } };
const cancelled: InferenceFact = { type: 'InferenceCancelled', data: { inferenceId: 'inf_1' } };
const graded: ForecastGraded = {
  type: 'ForecastGraded',
  data: { inferenceId: 'inf_1', series: 0, actuals: [1, 2], grade },
};

const queue: InferenceCommand = { type: 'QueueInference', data: { ...of, ...asked } };
const start: InferenceCommand = { type: 'StartInference', data: of };
const complete: InferenceCommand = { type: 'CompleteInference', data: { ...of, ...answered } };
const cancel: InferenceCommand = { type: 'CancelInference', data: of };
const failing = { promotionId: 'prm_1', code: 'overloaded', message: 'm', tookMs: 1, askedBy: 'token:t' };
const fail: InferenceCommand = { type: 'FailInference', data: { ...of, ...failing } };
const failed: InferenceFact = { type: 'InferenceFailed', data: { inferenceId: 'inf_1', ...failing } };
const giveGrade: InferenceCommand = { type: 'GradeForecast', data: { ...graded.data, workspace: 'w' } };
const keep: InferenceCommand = {
  type: 'KeepInferencePart',
  data: { ...of, of: 'answer', part: 0, text: '{}' },
};
const part: InferenceFact = {
  type: 'InferencePartKept',
  data: { inferenceId: 'inf_1', of: 'answer', part: 0, text: '{}' },
};

suite('an inference that is answered at once', test => {
  const record: InferenceCommand = {
    type: 'RecordInference',
    data: {
      ...of,
      requested: { inferenceId: 'inf_1', ...asked, queued: false },
      completed: { inferenceId: 'inf_1', ...answered },
    },
  };
  const both: InferenceFact[] = [
    { type: 'InferenceRequested', data: { inferenceId: 'inf_1', ...asked, queued: false } },
    completed,
  ];
  test('is kept with its answer', () =>
    given(inferences)
      .when(record)
      .then(...both));
  test('is kept once', () =>
    given(inferences, ...both)
      .when(record)
      .thenNothing());
});

suite('an inference that is queued', test => {
  test('begins, and is answered', () => {
    given(inferences).when(queue).then(requested);
    given(inferences, requested).when(start).then(started(1));
    given(inferences, requested, started(1)).when(complete).then(completed);
  });
  test('begins again after it was cut short', () =>
    given(inferences, requested, started(1)).when(start).then(started(2)));
  test('fails', () => given(inferences, requested, started(1)).when(fail).then(failed));
  test('keeps a large answer in parts, as long as it is open', () => {
    given(inferences, requested, started(1)).when(keep).then(part);
    given(inferences, requested, cancelled).when(keep).thenNothing();
  });
  test('is cancelled while it waits, and while it is worked on', () => {
    given(inferences, requested).when(cancel).then(cancelled);
    given(inferences, requested, started(1)).when(cancel).then(cancelled);
  });
  test('is not cancelled once it is over', () => {
    given(inferences, requested, started(1), completed)
      .when(cancel)
      .thenRejected(/nothing left/);
    given(inferences, requested, cancelled)
      .when(cancel)
      .thenRejected(/nothing left/);
    given(inferences, requested, started(1), failed)
      .when(cancel)
      .thenRejected(/nothing left/);
  });
  test('is not answered after it was cancelled', () => {
    for (const late of [start, complete, fail])
      given(inferences, requested, cancelled).when(late).thenNothing();
  });
  test('is one that there is', () =>
    given(inferences)
      .when(cancel)
      .thenRejected(/no inference/));
});

suite('a forecast', test => {
  test('is graded once', () => {
    given(inferences, requested, started(1), completed).when(giveGrade).then(graded);
    given(inferences, requested, started(1), completed, graded).when(giveGrade).thenNothing();
  });
  test('is not graded before it is made', () => given(inferences, requested).when(giveGrade).then());
});
