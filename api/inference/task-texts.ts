import type { InferenceTask } from '../../domain/inference/facts.js';
import type { ObjectSchema } from '../../json-schema.js';
import * as answers from './answer-schemas.js';
import * as bodies from './request-schemas.js';

/** What a task is called, takes and answers. */
export type TaskText = {
  readonly summary: string;
  readonly description: string;
  readonly body: ObjectSchema;
  readonly answer: ObjectSchema;
};

const KEPT =
  'Kept with all it stands on: it can be read again and replayed to the bit. Over 50 series, or with '
  + '`async`, the answer is 202 and the work goes on. docs/inference.md.';

export const taskTexts: Readonly<Record<InferenceTask, TaskText>> = {
  forecast: {
    summary: 'Forecast series, or a signal',
    description:
      'By a deployment, on series in the request or on a signal: its newest points, or those of all its '
      + '`<key>__<entity>`; or by what serves a goal, on its target, moved by all that moves the forecasts '
      + 'of the goal: docs/goals.md. Quantiles at any levels, bands set right by the past of the series, '
      + `gaps filled, known covariates. A forecast of a signal is graded when its actuals come. ${KEPT}`,
    body: bodies.forecastBody,
    answer: answers.forecastAnswer,
  },
  anomaly: {
    summary: 'Whether the newest points are what those before them let expect',
    description: `Each point against the forecast from all before it. ${KEPT}`,
    body: bodies.anomalyBody,
    answer: answers.anomalyAnswer,
  },
  backtest: {
    summary: 'Forecasts as they would have been made at past moments, and how good they were',
    description:
      'Each window knows nothing of what came after its cutoff, and every metric can be recomputed from its '
      + `points: docs/forecasting.md says how. ${KEPT}`,
    body: bodies.backtestBody,
    answer: answers.backtestAnswer,
  },
  impute: {
    summary: 'Fill gaps of series',
    description: `Each gap from what is before and after it, with the 80% band of what may be. ${KEPT}`,
    body: bodies.imputeBody,
    answer: answers.imputeAnswer,
  },
  embed: {
    summary: 'What a model makes of series, as numbers that tell them apart',
    description: `Only models whose tasks list it. ${KEPT}`,
    body: bodies.embedBody,
    answer: answers.embedAnswer,
  },
  classify: {
    summary: 'Which of the labels of some examples series have',
    description: `Only models whose tasks list it. ${KEPT}`,
    body: bodies.classifyBody,
    answer: answers.classifyAnswer,
  },
};
