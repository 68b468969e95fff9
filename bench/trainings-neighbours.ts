import { apiOf, headersOf, rich, until, type Api } from './caller.js';
import { median, quick, ratio, startPresage, table, whole, type Server } from './common.js';
import { copyOf, type Folder } from './data.js';
import { load, requestOf, type Loaded } from './load.js';

/**
 * What trainings do to others on the same machine: events recorded a second, and p99 of forecasts one at a
 * time, in alternated rounds with and without trainings under way. The aim: recording slowed by at most a
 * fifth, forecasts at most twice as slow.
 * `node dist/bench/trainings-neighbours.js [--quick]`
 */
const ROUNDS = quick ? 2 : 5;
const SECONDS = quick ? 2 : 5;
const POINTS = 4_000;
const HOUR = 3_600_000;
const START = Date.parse('2020-01-01');
/** Enough that one waits still when the last round with trainings ends. */
const QUEUED = 200;

/** What is read of answers, each of them has some. */
type Said = Readonly<Record<'segment_id' | 'uid' | 'promotion_id' | 'training_id' | 'status', string>> & {
  readonly ready: boolean;
  readonly total: number;
};
/** A series, a segment of it, `nano` deployed, and a model that takes long to fit. */
async function furnished(api: Api) {
  for (let from = 0; from < POINTS; from += 1_000) {
    const values = Array.from({ length: 1_000 }, (_, i) => {
      const n = from + i;
      return [START + n * HOUR, 100 + 20 * Math.sin((2 * Math.PI * n) / 24) + ((n * 7_919) % 100) / 20];
    });
    await api<Said>('POST', '/v1/signal/push', { key: 'bench', values });
  }
  const split = { method: 'rolling_origin', folds: 5, horizon: 24, gap: 0 };
  const { segment_id } = await api<Said>('POST', '/v1/segment', {
    ...{ name: 'Bench', target: 'bench', step_s: 3_600, split },
  });
  await until(async () => (await api<Said>('GET', `/v1/segment/${segment_id}`)).status === 'ready');
  const { uid } = await api<Said>('POST', '/v1/models', {
    ...{ kind: 'custom', algorithm: 'arima', hyperparameters: { period: 24 } },
  });
  const model = { family: 'presage', slug: 'nano' };
  const { promotion_id } = await api<Said>('POST', '/v1/models/deploy-foundation', model);
  await until(async () => (await api<Said>('GET', `/v1/deployments/${promotion_id}`)).ready);
  return { training: { segment_id, model: uid }, promotion: promotion_id };
}

let events = 0;
let forecasts = 0;

async function round(server: Server, folder: Folder, promotion: string) {
  const headers = headersOf(folder);
  const record = (): string => {
    const body = { key: `s${events % 50}`, text: `Event ${events++}`, value: events };
    return requestOf('POST', '/v1/event/record', headers, JSON.stringify(body));
  };
  const forecast = (): string => {
    const body = { promotion_id: promotion, key: 'bench', horizon: 1 + (forecasts++ % 64) };
    return requestOf('POST', '/v1/inference/forecast', headers, JSON.stringify(body));
  };
  const { port } = server;
  const recorded = await load({ port, connections: 32, seconds: SECONDS, next: record });
  const asked = await load({ port, connections: 1, seconds: SECONDS, next: forecast });
  return { recorded, asked };
}

const folder = await copyOf(0);
const limits = { RATE_INFERENCE: '1000000000', INFERENCE_AT_ONCE: '100000' };
const roles = 'api,projections,workers,serving,training';
const server = await startPresage(folder.path, roles, { ...limits, ...rich(folder.path) });
const api = apiOf(server, folder);
const { training, promotion } = await furnished(api);
const atWork = async (): Promise<boolean> =>
  (await api<Said>('GET', '/v1/training?status=running')).total > 0;
await round(server, folder, promotion);

type Round = { readonly recorded: Loaded; readonly asked: Loaded };
const alone: Round[] = [];
const beside: Round[] = [];
for (let n = 0; n < ROUNDS; n++) {
  alone.push(await round(server, folder, promotion));
  const ids: string[] = [];
  for (let i = 0; i < QUEUED / ROUNDS; i++)
    ids.push((await api<Said>('POST', '/v1/training', training)).training_id);
  await until(atWork);
  beside.push(await round(server, folder, promotion));
  // What is over already cannot be called off
  for (const id of ids) await api<Said>('POST', `/v1/training/${id}/cancel`).catch(() => undefined);
}
await server.stop();
folder.remove();

const of = (rounds: readonly Round[], what: (each: Round) => number): number => median(rounds.map(what));
const line = (name: string, what: (each: Round) => number, show: (value: number) => string): string[] => {
  const [without, with_] = [of(alone, what), of(beside, what)];
  return [name, show(without), show(with_), ratio(with_ / without)];
};
table(
  ['', 'alone', 'beside trainings', 'ratio'],
  [
    line('events recorded a second', ({ recorded }) => recorded.rate, whole),
    line('p99 of recording, ms', ({ recorded }) => recorded.p99, ratio),
    line('forecasts a second, one at a time', ({ asked }) => asked.rate, whole),
    line('p50 of a forecast, ms', ({ asked }) => asked.p50, ratio),
    line('p99 of a forecast, ms', ({ asked }) => asked.p99, ratio),
  ],
);
