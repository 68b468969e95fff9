import { apiOf, headersOf, rich, until, type Api } from './caller.js';
import { cpuOf, memoryOf, quick, ratio, startPresage, table, whole } from './common.js';
import { copyOf } from './data.js';
import { load, requestOf } from './load.js';

/**
 * Goals that are all due at the same moment: how long after it their forecasts can be read, and what becomes
 * of recording meanwhile. Each has a target of its own, of hours; they are due every five minutes, so that
 * nobody waits an hour for them. The aim: 1,000 within 60 s, recording at least at .8 of its rate.
 * `node dist/bench/goals.js [--quick] [--goals=1000] [--beats=3]`
 */
const argument = (name: string, otherwise: number): number =>
  Number(process.argv.find(arg => arg.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const GOALS = argument('goals', quick ? 50 : 1_000);
const BEATS = argument('beats', quick ? 1 : 3);
const HORIZON = 24;
const POINTS = 170;
const HOUR = 3_600_000;
const CADENCE_S = 300;
const QUIET_S = quick ? 5 : 20;
const CONNECTIONS = 16;
const PER_PAGE = 100;

type Row = {
  readonly goal_id: string;
  readonly status: string;
  readonly latest_forecast: { readonly issued_at: string } | null;
};

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const timed = async (work: () => Promise<void>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

/** Values of the hours up to now: a day that repeats itself, and noise. */
const valuesOf = (nth: number, now: number): number[][] =>
  Array.from({ length: POINTS }, (_, i) => {
    const time = now - (now % HOUR) - (POINTS - 1 - i) * HOUR;
    return [time, 100 + 20 * Math.sin((2 * Math.PI * (time / HOUR + nth)) / 24) + ((i * 7_919) % 100) / 20];
  });

async function eachOf(count: number, atOnce: number, work: (nth: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

async function rowsOf(api: Api): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; rows.length < GOALS; page++) {
    const answer = await api<{ goals: Row[] }>('GET', `/v1/goals?per_page=${PER_PAGE}&page=${page}`);
    if (answer.goals.length === 0) break;
    rows.push(...answer.goals);
  }
  return rows;
}

const folder = await copyOf(0);
const server = await startPresage(folder.path, 'api,projections,workers,serving,training', rich(folder.path));
const api = apiOf(server, folder);
const headers = headersOf(folder);
let events = 0;
const record = (): string => {
  const body = { key: `s${events % 50}`, text: `Event ${events++}`, value: events };
  return requestOf('POST', '/v1/event/record', headers, JSON.stringify(body));
};
const recording = (seconds: number) =>
  load({ port: server.port, connections: CONNECTIONS, seconds, next: record });

const now = Date.now();
await eachOf(GOALS, 8, nth =>
  api('POST', '/v1/signal/push', { key: `target-${nth}`, values: valuesOf(nth, now) }),
);
const ids: string[] = [];
await eachOf(GOALS, 8, async nth => {
  const body = { name: `Goal ${nth}`, target: `target-${nth}`, horizon: HORIZON, cadence_s: CADENCE_S };
  ids.push((await api<{ goal_id: string }>('POST', '/v1/goals', body)).goal_id);
});
const activation = await timed(async () => {
  await eachOf(GOALS, 8, nth => api('POST', `/v1/goals/${ids[nth]!}/activate`, { skip_discovery: true }));
  await until(
    async () => (await rowsOf(api)).every(row => row.status === 'active' && row.latest_forecast),
    2_000,
  );
});
console.log(`${GOALS} goals active ${activation.toFixed(0)} s after the first was activated`);

const beats: string[][] = [];
for (let n = 0; n < BEATS; n++) {
  const beat = Math.ceil((Date.now() + (QUIET_S + 5) * 1000) / (CADENCE_S * 1000)) * CADENCE_S * 1000;
  await sleep(beat - Date.now() - (QUIET_S + 2) * 1000);
  const quiet = await recording(QUIET_S);
  await sleep(beat - Date.now());
  const cpu = cpuOf(server);
  let over = 0;
  const watching = until(async () => {
    const late = (await rowsOf(api)).filter(row => Date.parse(row.latest_forecast!.issued_at) < beat);
    over = (Date.now() - beat) / 1000;
    return late.length === 0;
  }, 1_000);
  // As long as the forecasts take, in short pieces
  let answered = 0;
  let done = false;
  void watching.then(() => (done = true));
  const start = performance.now();
  while (!done) answered += (await recording(1)).count;
  const beside = answered / ((performance.now() - start) / 1000);
  const spent = (cpuOf(server) - cpu) / 1e6;
  beats.push([
    `${n + 1}`,
    over.toFixed(1),
    whole(quiet.rate),
    whole(beside),
    ratio(beside / quiet.rate),
    spent.toFixed(1),
    whole(memoryOf(server).now),
  ]);
}
table(
  ['beat', 'all read after, s', 'recorded a second before', 'meanwhile', 'ratio', 'processor s', 'memory MB'],
  beats,
);
await server.stop();
folder.remove();
