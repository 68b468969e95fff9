import { eachOf, secondsOf, sleep, STEP, STEP_S, valueAt, valuesUpTo } from './beats.js';
import { apiOf, headersOf, rich, until } from './caller.js';
import { cpuOf, memoryOf, quick, startPresage, table, whole } from './common.js';
import { copyOf } from './data.js';
import { oneByOne, requestOf } from './load.js';

/**
 * A fleet: how long until all its goals are in use, until all are forecast after a beat, and until what adds
 * up is read by each method; what somebody else waits meanwhile, and how far parts and sums are apart.
 * `node dist/bench/fleet.js [--quick] [--goals=500]`
 */
const argument = process.argv.find(arg => arg.startsWith('--goals='))?.split('=')[1];
const GOALS = Number(argument ?? (quick ? 30 : 500));
const HORIZON = 24;
const METHODS = ['bottom_up', 'top_down', 'ols', 'wls_struct', 'mint_shrink'];
const PER_PAGE = 100;

type Point = { readonly ts: string; readonly mean: number };
type Part = { readonly points: readonly Point[] };
type Row = { readonly status: string; readonly latest_forecast: { readonly issued_at: string } | null };

const folder = await copyOf(0);
const server = await startPresage(folder.path, 'api,projections,workers,serving,training', rich(folder.path));
const api = apiOf(server, folder);
const quiet = requestOf('GET', '/v1/user/me', headersOf(folder), '');

/** Does something while somebody else calls again and again; answers its seconds, and their waits in ms. */
async function beside(work: () => Promise<unknown>): Promise<{ seconds: number; waits: number[] }> {
  const waits: number[] = [];
  let done = false;
  const working = secondsOf(work).finally(() => (done = true));
  while (!done) {
    waits.push(...(await oneByOne(server.port, 1, () => quiet)));
    await sleep(20);
  }
  return { seconds: await working, waits };
}
const rows: string[][] = [];
const told = async (what: string, work: () => Promise<unknown>): Promise<void> => {
  const cpu = cpuOf(server);
  const { seconds, waits } = await beside(work);
  const spent = ((cpuOf(server) - cpu) / 1e6).toFixed(1);
  rows.push([what, seconds.toFixed(1), spent, whole(Math.max(...waits)), whole(memoryOf(server).now)]);
};

async function goalsOf(fleetId: string): Promise<Row[]> {
  const pages: Row[] = [];
  for (let page = 1; pages.length < GOALS; page++) {
    const path = `/v1/goals?fleet_id=${fleetId}&per_page=${PER_PAGE}&page=${page}`;
    const { goals } = await api<{ goals: Row[] }>('GET', path);
    if (goals.length === 0) break;
    pages.push(...goals);
  }
  return pages;
}
const push = (valuesOf: (nth: number) => [number, number][]): Promise<void> =>
  eachOf(GOALS, 8, nth =>
    api('POST', '/v1/signal/push', { key: `shop.sales__n${nth}`, values: valuesOf(nth) }),
  );

const begun = Math.floor(Date.now() / STEP) * STEP;
await push(nth => valuesUpTo(nth, begun - STEP));
const options = { auto_discovery: 'off', auto_tournament: 'off' };
const template = { horizon: HORIZON, step_s: STEP_S, cadence_s: STEP_S, options };
const body = { name: 'Shops', base_key: 'shop.sales', entities: 'all', template, skip_discovery: true };
let id = '';
await told(`${GOALS} goals made and in use`, async () => {
  id = (await api<{ fleet_id: string }>('POST', '/v1/goals/fleets', body)).fleet_id;
  await until(async () => {
    const found = await goalsOf(id);
    const ready = found.filter(({ status, latest_forecast }) => status === 'active' && latest_forecast);
    console.error(`${ready.length} of ${GOALS} goals are in use and have a forecast`);
    return ready.length === GOALS;
  }, 10_000);
});

let apart = 0;
async function read(method: string, fleetId: string): Promise<void> {
  await api('PATCH', `/v1/goals/fleets/${fleetId}`, { reconciliation: { method, levels: [] } });
  const found = new Map<string, Part[]>();
  const level = async (name: string): Promise<void> => {
    const parts: Part[] = [];
    for (let page = 1, more = true; more; page++) {
      const path = `/v1/goals/fleets/${fleetId}/forecast?level=${name}&per_page=${PER_PAGE}&page=${page}`;
      const { forecasts } = await api<{ forecasts: Part[] }>('GET', path);
      parts.push(...forecasts);
      more = forecasts.length === PER_PAGE;
    }
    found.set(name, parts);
  };
  await told(`${method}: the total read`, () => level('total'));
  await told(`${method}: all parts read`, () => level('entity'));
  const [sum] = found.get('total')!;
  const parts = found.get('entity')!;
  if (parts.length !== GOALS) throw new Error(`${parts.length} parts of ${GOALS}`);
  for (const [h, { mean }] of sum!.points.entries()) {
    const added = parts.reduce((total, { points }) => total + points[h]!.mean, 0);
    apart = Math.max(apart, Math.abs(added - mean) / Math.abs(mean));
  }
}
async function atBeat(what: string): Promise<void> {
  const beat = Math.ceil((Date.now() + 40_000) / STEP) * STEP;
  await sleep(beat - Date.now() - 40_000);
  await push(nth => [valueAt(nth, beat - STEP)]);
  await sleep(beat - Date.now());
  const isIssued = ({ latest_forecast }: Row): boolean => Date.parse(latest_forecast!.issued_at) >= beat;
  await told(what, () => until(async () => (await goalsOf(id)).every(isIssued), 3_000));
}

await atBeat('all forecast after a beat');
for (const method of METHODS) await read(method, id);
await atBeat('all forecast after the next beat');
await read(METHODS.at(-1)!, id);
table(['', 's', 'processor s', 'longest wait of others, ms', 'memory MB'], rows);
console.log(`parts and sums differ by at most ${apart.toExponential(1)} of the sum`);
await server.stop();
folder.remove();
