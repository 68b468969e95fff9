import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DAY, HOUR, MINUTE } from '../domain/time.js';
import { startPlatform, temporaryFolder } from '../test/platform.js';
import type { Json } from '../test/json.js';
import { rich, until } from './caller.js';
import { memoryOf, quick, table, whole } from './common.js';

/**
 * Memory over a month that is played hour by hour, by a clock that is set forward: goals of hourly cadence
 * whose targets get a value an hour, a stream that moves half of them and puts them into shocks, a corrected
 * point a day, an alert each, and whatever comes by itself (gradings, tournaments, discoveries, rechecks).
 * `node dist/bench/goals-month.js [--quick] [--goals=10] [--days=30]`
 */
const argument = (name: string, otherwise: number): number =>
  Number(process.argv.find(arg => arg.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const GOALS = argument('goals', quick ? 2 : 10);
const DAYS = argument('days', quick ? 2 : 30);
const PAST_DAYS = 45;
const STREAM = 'plant.stoppages';
const EVENT_EVERY_H = 37;
const EFFECT = { size: -9, halfLifeH: 4 };
const TEXTS = [
  'A burst pipe stops the main line',
  'Fire in the drying hall, production stands still',
  'The press breaks down and the shift goes home',
  'Power fails at the plant; all lines stop',
];

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The stream's event of an hour, if it has one. */
const eventAt = (hour: number): string | null =>
  hour % EVENT_EVERY_H === 0 ? TEXTS[(hour / EVENT_EVERY_H) % TEXTS.length]! : null;

/** What a target is in an hour: a day, noise, and of every other one what the last event did. */
function valueAt(nth: number, hour: number): number {
  const day = 10 * Math.sin((2 * Math.PI * (hour + nth)) / 24);
  const noise = (((hour * 7_919 + nth * 104_729) % 1_009) / 1_009 - 0.5) * 4;
  const since = hour % EVENT_EVERY_H;
  const effect = nth % 2 === 0 ? EFFECT.size * 2 ** (-since / EFFECT.halfLifeH) : 0;
  return 100 + day + noise + effect;
}

/** MB in memory of the processes that this one has started. */
function ofChildren(): number {
  const parents = readdirSync('/proc').filter(name => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === `${process.pid}`;
    } catch {
      return false;
    }
  });
  return parents.reduce((sum, pid) => sum + memoryOf({ pid: Number(pid) }).now, 0);
}

const sizeOf = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size / 2 ** 20, 0);

const folder = temporaryFolder();
const begin = Math.floor(Date.now() / HOUR) * HOUR;
const time = { ahead: -PAST_DAYS * DAY };
const now = (): number => Date.now() + time.ahead;
const reach = (at: number): void => {
  time.ahead += Math.max(0, at - now());
};
// Of forecasts of the past so many are remembered as the first days bring: what grows after that is a leak
const env = { ...rich(folder.path), FORECASTS_REMEMBERED_BYTES: '4000000' };
const running = await startPlatform(folder.path, { env, clock: now });
async function call(method: string, path: string, body?: object): Promise<Json> {
  const { status, json, text } = await running.call(method, path, body ? { body } : {});
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 1_000)}`);
  return json.data;
}
const goalsNow = async (): Promise<Json[]> => (await call('GET', `/v1/goals?per_page=100`)).goals;
const totalOf = async (path: string): Promise<number> => (await call('GET', path)).total;
const record = (hour: number): Promise<Json> =>
  call('POST', '/v1/event/record', { key: STREAM, text: eventAt(hour)!, occurred_at: hour * HOUR });

// The past: events as they happen, then the values
const hourOf = (at: number): number => Math.floor(at / HOUR);
const first = hourOf(begin - PAST_DAYS * DAY);
for (let hour = first; hour < hourOf(begin); hour++)
  if (eventAt(hour) !== null) {
    reach(hour * HOUR + MINUTE);
    await record(hour);
  }
reach(begin);
for (let nth = 0; nth < GOALS; nth++) {
  const hours = Array.from({ length: hourOf(begin) - first }, (_, i) => first + i);
  const values = hours.map(hour => [hour * HOUR, valueAt(nth, hour)]);
  await call('POST', '/v1/signal/push', { key: `output.${nth}`, values });
}
const ids: string[] = [];
for (let nth = 0; nth < GOALS; nth++) {
  const goal = {
    name: `Output ${nth}`,
    target: `output.${nth}`,
    horizon: 24,
    step_s: 3600,
    options: { importance_bar: 0 },
  };
  const { goal_id: id } = await call('POST', '/v1/goals', goal);
  await call('POST', `/v1/goals/${id}/activate`, {});
  const rule = { name: `Low ${nth}`, kind: 'threshold', params: { value: 85, direction: 'below' } };
  await call('POST', `/v1/goals/${id}/alerts`, rule);
  ids.push(id);
}
await until(async () => (await goalsNow()).every(goal => goal.status === 'active' && goal.latest_forecast));

const rows: string[][] = [];
async function look(day: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 1_000));
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  let counts = [0, 0, 0];
  for (const id of ids) {
    const paths = ['forecasts', 'shocks', 'revisions'].map(kind => `/v1/goals/${id}/${kind}?per_page=1`);
    const totals = await Promise.all(paths.map(totalOf));
    counts = counts.map((count, i) => count + totals[i]!);
  }
  rows.push(
    [day, ...counts, (heapUsed + external) / 2 ** 20, rss / 2 ** 20, ofChildren(), sizeOf(folder.path)].map(
      whole,
    ),
  );
  console.error(rows.at(-1)!.join(' '));
}
await look(0);
for (let hour = hourOf(begin) + 1; hour <= hourOf(begin) + DAYS * 24; hour++) {
  reach(hour * HOUR + 1_000);
  const points = ids.map((_, nth) => ({
    key: `output.${nth}`,
    value: valueAt(nth, hour - 1),
    timestamp: (hour - 1) * HOUR,
  }));
  await call('POST', '/v1/signal/push', { points });
  if (eventAt(hour) !== null) await record(hour);
  if (hour % 24 === 0)
    await call('POST', '/v1/signal/push', { key: 'output.1', values: [[(hour - 50) * HOUR, 95]] });
  await until(async () =>
    (await goalsNow()).every(goal => Date.parse(goal.latest_forecast.issued_at) >= hour * HOUR),
  );
  if ((hour - hourOf(begin)) % 24 === 0) await look((hour - hourOf(begin)) / 24);
}
table(
  ['day', 'forecasts', 'shocks', 'revisions', 'heap MB', 'resident MB', 'of its processes MB', 'files MB'],
  rows.filter((_, day) => day % Math.ceil(DAYS / 10) === 0),
);
await running.stop();
folder.remove();
