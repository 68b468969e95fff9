import { anomalies } from '../domain/maths/forecasting/anomaly.js';
import { forecastManyOf, type ForecastMany } from '../domain/maths/forecasting/forecaster.js';
import { quantile } from '../domain/maths/series/quantile.js';
import { grouped } from './forecast-sets.js';
import { areaUnderRoc, averagePrecision, DETECTORS, injected, type Kind } from './forecast-tasks-inject.js';
import {
  percent,
  randomFor,
  realSeries,
  three,
  type RealSeries,
  type TaskInput,
  type TaskResult,
} from './forecast-tasks-sets.js';

/** The newest values of each series are judged, one step ahead; flagged at this level. */
const JUDGED = 60;
const LEVEL = 0.99;
const KINDS: readonly Kind[] = ['spikes', 'shifts'];

/**
 * The judged values of one series: the scores of each method, the anomalies' places among them, what the
 * model flagged.
 */
type Judged = {
  readonly scores: Readonly<Record<string, readonly number[]>>;
  readonly events: readonly (readonly number[])[];
  readonly flags: readonly boolean[];
  readonly unlikely: readonly boolean[];
};

type Tried = {
  readonly series: RealSeries;
  readonly clean: Judged;
  readonly with: Readonly<Record<Kind, Judged>>;
};

/**
 * Anomalies are put into real series. What is real in them has anomalies of its own, which count as regular
 * values: no method can come to 1, and to be compared are the methods, not the numbers as such.
 */
export async function anomalyTask(input: TaskInput): Promise<TaskResult> {
  const forecast = forecastManyOf(input.model, new AbortController().signal);
  const tried: Tried[] = [];
  for (const series of await realSeries(input)) tried.push(await tryOut(series, input.seed, forecast));
  const groups = new Map([...grouped(tried, ({ series }) => series.freq), ['all', tried] as const]);
  const summaries = [...groups].flatMap(([group, members]) =>
    KINDS.map(kind => summaryOf(group, kind, members)),
  );
  const all = summaries.filter(({ group }) => group === 'all');
  return {
    title:
      `anomaly: spikes and shifts put into ${tried.length} series; `
      + 'AUC / average precision / share found at 1% false alarms',
    head: [
      'series',
      'kind',
      'anomalies',
      'model',
      ...Object.keys(DETECTORS),
      `flagged at ${LEVEL}: of anomalies`,
      'of clean values',
      '0.95: of clean values',
    ],
    rows: summaries.map(({ group, kind, anomalies: count, methods, flagged, alarms, alarms95 }) => [
      group,
      kind,
      `${count}`,
      ...Object.values(methods).map(
        ({ auc, precision, found }) => `${three(auc)} / ${three(precision)} / ${percent(found)}`,
      ),
      percent(flagged),
      percent(alarms),
      percent(alarms95),
    ]),
    rule:
      'AUC, average precision and share found above those of each simple detector, for spikes in all series; '
      + 'at most 3% of clean values flagged',
    earned: all.filter(({ kind }) => kind === 'spikes').every(isEarned),
    details: summaries,
  };
}

async function tryOut(series: RealSeries, seed: number, forecast: ForecastMany): Promise<Tried> {
  const from = Math.max(series.values.length >> 1, series.values.length - JUDGED);
  const judge = async (kind: Kind): Promise<Judged> => {
    const { values, events } = injected(
      series,
      from,
      kind,
      randomFor(seed, `${series.set} ${series.name} ${kind}`),
    );
    return judgedOf(series, values, from, events, forecast);
  };
  return {
    series,
    clean: await judgedOf(series, series.values, from, [], forecast),
    with: { spikes: await judge('spikes'), shifts: await judge('shifts') },
  };
}

async function judgedOf(
  { period }: RealSeries,
  values: Float64Array,
  from: number,
  events: readonly (readonly number[])[],
  forecast: ForecastMany,
): Promise<Judged> {
  const found = await anomalies({ values, period }, { from, steps: 1, level: LEVEL }, forecast);
  const flagged = new Set(found.flagged);
  const places = [...found.score.keys()].filter(i => !Number.isNaN(found.score[i]!));
  const index = new Map(places.map((i, k) => [i + from, k]));
  const theirs = Object.entries(DETECTORS).map(([name, detector]) => {
    const scores = detector(values, period);
    return [name, places.map(i => scores[i + from]!)] as const;
  });
  return {
    scores: { model: places.map(i => Math.abs(found.score[i]!)), ...Object.fromEntries(theirs) },
    events: events.map(event => event.flatMap(place => index.get(place) ?? [])),
    flags: places.map(i => flagged.has(i + from)),
    unlikely: places.map(i => found.tail[i]! < 0.05),
  };
}

type Method = { readonly auc: number; readonly precision: number; readonly found: number };
type Summary = {
  readonly group: string;
  readonly kind: Kind;
  readonly anomalies: number;
  readonly methods: Readonly<Record<string, Method>>;
  readonly flagged: number;
  readonly alarms: number;
  readonly alarms95: number;
};

/** Better than every simple detector in all three figures, with few false alarms. */
function isEarned({ methods, alarms }: Summary): boolean {
  const [, ...others] = Object.values(methods);
  const own = methods['model']!;
  const beats = (other: Method): boolean =>
    own.auc > other.auc && own.precision > other.precision && own.found > other.found;
  return alarms <= 0.03 && others.every(beats);
}

function summaryOf(group: string, kind: Kind, tried: readonly Tried[]): Summary {
  const dirty = tried.map(each => each.with[kind]);
  const clean = tried.map(each => each.clean);
  const events = dirty.flatMap(judged => judged.events.map(event => event.some(at => judged.flags[at])));
  const methods = ['model', ...Object.keys(DETECTORS)].map(
    name => [name, methodOf(name, dirty, clean)] as const,
  );
  return {
    group,
    kind,
    anomalies: events.length,
    methods: Object.fromEntries(methods),
    flagged: share(events),
    alarms: share(clean.flatMap(({ flags }) => flags)),
    alarms95: share(clean.flatMap(({ unlikely }) => unlikely)),
  };
}

/**
 * `found`: the share of the anomalies of which a value scores above 99% of the values of the clean series.
 */
function methodOf(name: string, dirty: readonly Judged[], clean: readonly Judged[]): Method {
  const scores = dirty.flatMap(judged => judged.scores[name]!);
  const labels = dirty.flatMap(({ events, flags }) => {
    const places = new Set(events.flat());
    return flags.map((_, i) => places.has(i));
  });
  const limit = quantile(
    clean.flatMap(judged => judged.scores[name]!).sort((a, b) => a - b),
    0.99,
  );
  const events = dirty.flatMap(judged =>
    judged.events.map(event => event.some(at => judged.scores[name]![at]! > limit)),
  );
  return {
    auc: areaUnderRoc(scores, labels),
    precision: averagePrecision(scores, labels),
    found: share(events),
  };
}

const share = (flags: readonly boolean[]): number => flags.filter(Boolean).length / flags.length;
