import { eachOf, secondsOf, sleep, STEP, STEP_S, valueAt, valuesUpTo } from './beats.js';
import { apiOf, headersOf, rich, until, type Api } from './caller.js';
import { cpuOf, memoryOf, quick, ratio, startPresage, table, whole } from './common.js';
import { copyOf } from './data.js';
import { load, requestOf } from './load.js';

/**
 * Goals that are all due at the same moment: how long after it their forecasts can be read, and what becomes
 * of recording meanwhile. Each has a target of its own, of which a value comes before each beat; steps and
 * beats are five minutes, so that nobody waits an hour for them. The aim: 1,000 within 60 s, recording at
 * least at .8 of its rate.
 * `node dist/bench/goals.js [--quick] [--goals=1000] [--beats=3] [--alone]`; alone: nothing is recorded, and
 * the processor's seconds are those of the goals and of who looks at them.
 */
const argument = (name: string, otherwise: number): number =>
  Number(process.argv.find(arg => arg.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const GOALS = argument('goals', quick ? 50 : 1_000);
const BEATS = argument('beats', quick ? 1 : 3);
const isAlone = process.argv.includes('--alone');
const HORIZON = 24;
const QUIET_S = quick ? 5 : 20;
const PUSHING_S = quick ? 5 : 40;
/** Longer than any beat takes. */
const MOST_S = 600;
const CONNECTIONS = 16;
/** Each look takes from what is measured: pages of goals that are all forecast are not asked for again. */
const LOOKED_EVERY_MS = 1_000;
const PER_PAGE = 100;

type Row = {
  readonly goal_id: string;
  readonly status: string;
  readonly latest_forecast: { readonly issued_at: string } | null;
};

const pageOf = async (api: Api, page: number): Promise<Row[]> =>
  (await api<{ goals: Row[] }>('GET', `/v1/goals?per_page=${PER_PAGE}&page=${page}`)).goals;

/** How many pages from the first on have only goals that are `done`, from page `from` on. */
async function pagesDone(api: Api, from: number, done: (row: Row) => boolean): Promise<number> {
  let page = from;
  while (page * PER_PAGE < GOALS && (await pageOf(api, page + 1)).every(done)) page++;
  return page;
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
const recording = (seconds: number, goesOn = () => true) =>
  load({ port: server.port, connections: CONNECTIONS, seconds, next: record, goesOn });

const push = (valuesOf: (nth: number) => [number, number][]): Promise<void> =>
  eachOf(GOALS, 8, nth => api('POST', '/v1/signal/push', { key: `target-${nth}`, values: valuesOf(nth) }));
const begun = Math.floor(Date.now() / STEP) * STEP;
await push(nth => valuesUpTo(nth, begun - STEP));
const ids: string[] = [];
await eachOf(GOALS, 8, async nth => {
  const body = {
    name: `Goal ${nth}`,
    target: `target-${nth}`,
    horizon: HORIZON,
    step_s: STEP_S,
    cadence_s: STEP_S,
  };
  ids.push((await api<{ goal_id: string }>('POST', '/v1/goals', body)).goal_id);
});
const activation = await secondsOf(async () => {
  await eachOf(GOALS, 8, nth => api('POST', `/v1/goals/${ids[nth]!}/activate`, { skip_discovery: true }));
  let pages = 0;
  await until(async () => {
    pages = await pagesDone(api, pages, row => row.status === 'active' && row.latest_forecast !== null);
    console.error(`${pages * PER_PAGE} of ${GOALS} goals are active and have a forecast`);
    return pages * PER_PAGE >= GOALS;
  }, 10_000);
});
console.log(`${GOALS} goals active ${activation.toFixed(0)} s after the first was activated`);

const beats: string[][] = [];
for (let n = 0; n < BEATS; n++) {
  const beat = Math.ceil((Date.now() + (QUIET_S + PUSHING_S) * 1000) / STEP) * STEP;
  await sleep(beat - Date.now() - (QUIET_S + PUSHING_S) * 1000);
  await push(nth => [valueAt(nth, beat - STEP)]);
  await sleep(beat - Date.now() - (QUIET_S + 2) * 1000);
  const quiet = isAlone ? null : await recording(QUIET_S);
  await sleep(beat - Date.now());
  const cpu = cpuOf(server);
  let over = 0;
  let pages = 0;
  const watching = until(async () => {
    pages = await pagesDone(api, pages, row => Date.parse(row.latest_forecast!.issued_at) >= beat);
    over = (Date.now() - beat) / 1000;
    return pages * PER_PAGE >= GOALS;
  }, LOOKED_EVERY_MS);
  let done = false;
  void watching.then(() => (done = true));
  const beside = isAlone ? null : await recording(MOST_S, () => !done);
  await watching;
  const spent = (cpuOf(server) - cpu) / 1e6;
  beats.push([
    `${n + 1}`,
    over.toFixed(1),
    ...(quiet && beside
      ? [whole(quiet.rate), whole(beside.rate), ratio(beside.rate / quiet.rate)]
      : ['-', '-', '-']),
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
