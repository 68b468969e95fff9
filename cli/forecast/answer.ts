import { bandsOf, recent, type ForecastPicture, type Line } from '../../domain/drawing/picture.js';
import { parseTime } from '../../domain/time.js';
import { codes, Failure } from '../exit.js';

type Members = Readonly<Record<string, unknown>>;
type Point = readonly [time: number, value: number];

/** JSON as it came from somewhere. @throws Failure where it is none */
export function parsedJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Failure(`${file} is not JSON`, codes.usage);
  }
}

/**
 * The points in an answer of `GET /v1/signal/points`, in order of time, and whose they are.
 * @throws Failure that says what is missing
 */
export function pointsIn(json: unknown, file: string) {
  const { key, points } = members(members(json)['data']);
  if (!Array.isArray(points)) throw new Failure(`${file} is no answer of /v1/signal/points`, codes.usage);
  return {
    key,
    points: points.map((pair): Point => [Number(pair[0]), Number(pair[1])]).sort(([a], [b]) => a - b),
  };
}

/**
 * What there is to see of an answer of `POST /v1/inference/forecast`, of the record of one with what came
 * since, or of `presage forecast --json`: a picture for each series; of a training's report: one for each
 * fold. `before`: the points of one series.
 * @throws Failure that says what is missing
 */
export function picturesOf(
  json: unknown,
  file: string,
  before: ReturnType<typeof pointsIn> | null,
): ForecastPicture[] {
  const record = members(json);
  const folds = listed(members(members(record['data'])['backtest'])['points']);
  if (folds.length > 0) return foldsOf(folds, file, before?.points ?? []);
  const answer = members(record['answer'] ?? json);
  const forecasts = listed(answer['forecasts']);
  if (forecasts.length === 0)
    throw new Failure(`${file} is no answer of a forecast: it has no forecasts`, codes.usage);
  const { family = '', slug = '' } = members(answer['model']);
  const by = `${family} ${slug}`.trim();
  return forecasts.map(forecast => {
    const id = String(forecast['id'] ?? '');
    const isIts = before !== null && (forecasts.length === 1 || before.key === id);
    const came = listed(record['actuals']).find(actual => actual['id'] === id);
    const known = [...(isIts ? before.points : []), ...actualsIn(came)];
    return pictureIn(forecast, by === '' ? '' : ` by ${by}`, known, file);
  });
}

/** What was forecast for each fold of a training, of each entity, over what came. */
function foldsOf(points: readonly Members[], file: string, before: readonly Point[]): ForecastPicture[] {
  const folds = new Map<string, Members[]>();
  for (const point of points) {
    const { entity, fold } = point;
    const id = `${typeof entity === 'string' ? `${entity}, ` : ''}fold ${String(fold)}`;
    folds.set(id, [...(folds.get(id) ?? []), point]);
  }
  return [...folds].map(([id, own]) => {
    const { entity } = own[0]!;
    const its = points.filter(point => point['entity'] === entity);
    const came = actualsIn({ points: its.map(({ ts, actual }) => ({ ts, value: actual })) });
    const first = came[0]?.[0] ?? Infinity;
    // Values of steps, in place of the points that they were made of
    const known = [...before.filter(([time]) => time < first), ...came];
    return pictureIn({ id, points: own }, ', which the training did not see', known, file);
  });
}

function pictureIn(forecast: Members, note: string, known: readonly Point[], file: string): ForecastPicture {
  const points = listed(forecast['points']);
  if (points.length === 0)
    throw new Failure(`${file} is no answer of a forecast: it has no points`, codes.usage);
  const times = points.map(point => timeIn(point['ts'], file));
  const levels = Object.keys(members(points[0]!['quantiles']));
  const column = (of: (point: Members) => unknown): number[] =>
    points.map(point => numberIn(of(point), file));
  return {
    title: String(forecast['id'] ?? ''),
    note: `${points.length} steps ahead${note}`,
    axis: typeof points[0]!['ts'] === 'number' ? 'count' : 'time',
    history: recent(lineOf(known.filter(([time]) => time <= times.at(-1)!)), points.length),
    median: { times, values: column(point => point['mean']) },
    bands: bandsOf(
      levels.map(level => ({
        level: Number(level),
        values: column(point => members(point['quantiles'])[level]),
      })),
    ),
  };
}

function numberIn(value: unknown, file: string): number {
  if (typeof value === 'number') return value;
  throw new Failure(`${file} is no answer of a forecast: '${String(value)}' is no number`, codes.usage);
}

/** Numbers of rows stay what they are. */
function timeIn(ts: unknown, file: string): number {
  const time = typeof ts === 'string' ? parseTime(ts) : ts;
  if (typeof time === 'number') return time;
  throw new Failure(`${file} is no answer of a forecast: '${String(ts)}' is no time`, codes.usage);
}

const actualsIn = (came: Members | undefined): Point[] =>
  listed(came?.['points']).flatMap(({ ts, value }) => {
    const time = parseTime(String(ts));
    return time === null || typeof value !== 'number' ? [] : [[time, value] as const];
  });

/** Of two values at one time the later counts. */
function lineOf(points: readonly Point[]): Line {
  const known = [...new Map(points)].sort(([a], [b]) => a - b);
  return { times: known.map(([time]) => time), values: known.map(([, value]) => value) };
}

const members = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};
const listed = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(members) : []);
