import {
  centroidClassifier,
  classify,
  ridgeClassifier,
  type Classifier,
  type Example,
} from '../domain/maths/forecasting/classify.js';
import type { Forecaster } from '../domain/maths/forecasting/forecaster.js';
import { robustScale } from '../domain/maths/series/quantile.js';
import { grouped } from './forecast-sets.js';
import {
  linesOf,
  meanOf,
  numbers,
  percent,
  randomFor,
  shuffled,
  type TaskInput,
  type TaskResult,
} from './forecast-tasks-sets.js';

type Line = {
  readonly set: string;
  readonly split: 'train' | 'test';
  readonly label: string;
  readonly values: (number | null)[];
};
type Labelled = { readonly label: string; readonly values: Float64Array };

/** Of each set at most so many of each split, chosen by the seed. */
const MOST = 200;

/** How many of the test series each method labels rightly, with what it learned from the training series. */
export async function classifyTask({ model, folder, seed }: TaskInput): Promise<TaskResult> {
  const summaries: Summary[] = [];
  for (const [set, lines] of grouped(await linesOf<Line>(folder, 'classify'), line => line.set)) {
    const drawn = (split: Line['split']): Labelled[] =>
      shuffled(
        lines.filter(line => line.split === split),
        randomFor(seed, set),
      )
        .slice(0, MOST)
        .map(({ label, values }) => ({ label, values: numbers(values) }));
    summaries.push(await summaryOf(set, drawn('train'), drawn('test'), model));
  }
  const mean = (name: 'centroid' | 'ridge' | 'neighbour' | 'majority'): number =>
    meanOf(summaries.map(summary => summary[name]));
  return {
    title: 'embed, classify: share of test series that are labelled rightly',
    head: [
      'set',
      'labels',
      'train',
      'test',
      'centroid',
      'ridge',
      'its own estimate',
      'nearest neighbour',
      'majority',
    ],
    rows: [
      ...summaries.map(s => [
        s.set,
        `${s.labels}`,
        `${s.train}`,
        `${s.test}`,
        percent(s.centroid),
        percent(s.ridge),
        percent(s.estimate),
        percent(s.neighbour),
        percent(s.majority),
      ]),
      [
        'mean',
        '',
        '',
        '',
        percent(mean('centroid')),
        percent(mean('ridge')),
        '',
        percent(mean('neighbour')),
        percent(mean('majority')),
      ],
    ],
    rule: 'ridge in the mean 2 points above the nearest neighbour, and above it in most sets',
    earned:
      mean('ridge') > mean('neighbour') + 0.02
      && summaries.filter(({ ridge, neighbour }) => ridge > neighbour).length > summaries.length / 2,
    details: summaries,
  };
}

/** Shares of the test series; `estimate`: what the ridge classifier says of itself by leaving one out. */
type Summary = {
  readonly set: string;
  readonly labels: number;
  readonly train: number;
  readonly test: number;
  readonly centroid: number;
  readonly ridge: number;
  readonly estimate: number;
  readonly neighbour: number;
  readonly majority: number;
};

async function summaryOf(
  set: string,
  train: readonly Labelled[],
  test: readonly Labelled[],
  model: Forecaster,
): Promise<Summary> {
  const examples = await embedded(train, model);
  const asked = await embedded(test, model);
  const fit = ridgeClassifier(examples);
  const of = (classifier: Classifier): number =>
    share(asked, example => classify(classifier, example.embedding).label);
  return {
    set,
    labels: fit.labels.length,
    train: train.length,
    test: test.length,
    centroid: of(centroidClassifier(examples)),
    ridge: of(fit),
    estimate: fit.accuracy,
    neighbour: share(test, nearestOf(train)),
    majority: share(test, () => majorityOf(train)),
  };
}

const share = <T extends { readonly label: string }>(
  items: readonly T[],
  labelOf: (item: T) => string,
): number => items.filter(item => labelOf(item) === item.label).length / items.length;

/** What a series is about is not known: neither is its period. */
async function embedded(items: readonly Labelled[], { forecast }: Forecaster): Promise<Example[]> {
  const made = await forecast(
    items.map(({ values }) => ({ values, period: 1 })),
    1,
    new AbortController().signal,
  );
  return made.map(({ embedding }, i) => ({ embedding, label: items[i]!.label }));
}

/**
 * The label of the nearest training series: Euclid's distance of standardised values, of as many as the
 * shortest has.
 */
function nearestOf(train: readonly Labelled[]): (asked: Labelled) => string {
  const known = train.map(({ label, values }) => ({ label, values: standard(values) }));
  return ({ values }) => {
    const own = standard(values);
    return known
      .map(({ label, values: other }) => ({ label, far: distance(own, other) }))
      .reduce((a, b) => (b.far < a.far ? b : a)).label;
  };
}

/** Mean 0, deviation 1; missing values at the mean. */
function standard(values: Float64Array): Float64Array {
  const known = [...values].filter(x => !Number.isNaN(x));
  const mean = meanOf(known);
  const deviation = Math.sqrt(meanOf(known.map(x => (x - mean) ** 2))) || robustScale(known).scale;
  return values.map(x => (Number.isNaN(x) ? 0 : (x - mean) / deviation));
}

/** The mean square over the newest values that both have. */
function distance(a: Float64Array, b: Float64Array): number {
  const length = Math.min(a.length, b.length);
  let sum = 0;
  for (let i = 1; i <= length; i++) sum += (a[a.length - i]! - b[b.length - i]!) ** 2;
  return sum / length;
}

const majorityOf = (train: readonly Labelled[]): string =>
  [...grouped(train, ({ label }) => label)].reduce((a, b) => (b[1].length > a[1].length ? b : a))[0];
