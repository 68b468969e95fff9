import { faulty } from '../../../domain/inference/faults.js';
import { filled } from '../../../domain/inference/fill.js';
import type { InferenceSeries } from '../../../domain/inference/forecasting.js';
import { historyOf } from '../../../domain/inference/history.js';
import type { LabelledSeries } from '../../../domain/inference/request.js';
import { centroidClassifier, classify, ridgeClassifier } from '../../../domain/maths/forecasting/classify.js';
import type { ForecastSeries } from '../../../domain/maths/forecasting/forecaster.js';
import type { Ask, Task } from '../work.js';

type Embedding = { readonly lookback: number };
/** From so many examples of each label on a regression tells labels better apart than their means do. */
const RIDGE_FROM = 24;

const contextOf = (series: InferenceSeries, { lookback }: Embedding): ForecastSeries =>
  historyOf(series, { lookback, fill: 'linear' });

async function embedded(series: readonly ForecastSeries[], { forecast }: Ask): Promise<Float32Array[]> {
  return (await forecast(series, 1)).map(({ embedding }) => embedding);
}

/** What the model makes of series, as numbers that tell them apart. */
export const embedTask: Task<Embedding> = {
  task: 'embed',
  settings: (_, { lookback }) => ({ lookback }),
  horizon: () => null,
  outputs: ({ series }) => series.length,
  async make({ series, settings }, ask) {
    const made = await embedded(
      series.map(one => contextOf(one, settings)),
      ask,
    );
    const embeddings = made.map((embedding, i) => ({ id: series[i]!.id, embedding: [...embedding] }));
    const numbers = made.reduce((sum, { length }) => sum + length, 0);
    return { answer: { embeddings }, numbers, outputPoints: series.length };
  },
};

type Classifying = Embedding & { readonly examples: readonly LabelledSeries[] };

/** Which of the labels of some examples series have. */
export const classifyTask: Task<Classifying> = {
  task: 'classify',
  settings({ examples = [] }, { lookback }) {
    if (new Set(examples.map(({ label }) => label)).size < 2)
      throw faulty(['examples'], 'labels', 'must have examples of two labels or more');
    return { lookback, examples };
  },
  horizon: () => null,
  outputs: ({ series }) => series.length,
  async make({ series, settings }, ask) {
    const { examples } = settings;
    const known = examples.map(({ values }, i): ForecastSeries => exampleOf(values, i));
    const asked = series.map(one => contextOf(one, settings));
    const made = await embedded([...known, ...asked], ask);
    const labelled = examples.map(({ label }, i) => ({ label, embedding: made[i]! }));
    const labels = new Set(labelled.map(({ label }) => label)).size;
    const fit = examples.length >= RIDGE_FROM * labels ? ridgeClassifier : centroidClassifier;
    const classifier = fit(labelled);
    const classifications = series.map(({ id }, i) => {
      const { label, scores } = classify(classifier, made[examples.length + i]!);
      return { id, label, probabilities: shares(classifier.labels, scores) };
    });
    return { answer: { classifications }, numbers: series.length * labels, outputPoints: series.length };
  },
};

function exampleOf(values: readonly (number | null)[], index: number): ForecastSeries {
  const column = Float64Array.from(values, value => value ?? NaN);
  if (column.every(Number.isNaN)) throw faulty(['examples', index, 'values'], 'empty', 'has no known value');
  return { values: filled(column, 'linear', 1).values, period: 1 };
}

/** Scores as shares of one, higher where a score is higher: their exponentials over the sum of these. */
function shares(labels: readonly string[], scores: readonly number[]): Record<string, number> {
  const highest = Math.max(...scores);
  const parts = scores.map(score => Math.exp(score - highest));
  const sum = parts.reduce((all, part) => all + part, 0);
  return Object.fromEntries(labels.map((label, k) => [label, parts[k]! / sum]));
}
