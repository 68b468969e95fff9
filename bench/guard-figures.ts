import { cpuOf, median, startPresage, startServer, type Server } from './common.js';
import { copyOf, type Folder } from './data.js';
import { measuredModel } from './guard-models.js';
import type { Figure } from './guard-verdict.js';
import { load } from './load.js';
import { measured, type Way } from './replay-ways.js';
import { batches, newestPages, nobody, recordings } from './requests.js';

const CONNECTIONS = 64;
const ROUNDS = 15;
const WARMING = 3;
const LONGEST_S = 20;
const EVENTS = 10_000;
const REPLAYS = 3;

/** The figures, and the way to end what they are measured on. */
export async function figuresOf(): Promise<{
  readonly figures: readonly Figure[];
  readonly end: () => Promise<void>;
}> {
  const folder = await copyOf(EVENTS);
  const asItWas = await copyOf(EVENTS);
  const presage = await startPresage(folder.path, 'api,projections');
  const bare = await startServer('bench/baselines.js', ['bare']);
  for (const each of [presage, bare]) each.pause();
  const http = (name: string, requests: number, requestsOf: (to: Folder) => () => string): Figure => ({
    name,
    of: 'bare Koa that reads the same and answers a constant',
    measured: () => againstBare(presage, requestsOf(folder), bare, requestsOf(nobody), requests),
  });
  return {
    figures: [
      http('recording', 800, recordings),
      http('pushing 1,000 points', 60, batches),
      http('a page of events', 400, newestPages),
      { name: 'replay of a fact', of: 'reading it', measured: () => replayed(asItWas) },
      { name: 'a forecast', of: 'the bare run of its model', measured: () => measuredModel('forecast') },
      { name: 'a scoring', of: 'the bare run of its model', measured: () => measuredModel('scoring') },
    ],
    async end() {
      for (const each of [presage, bare]) await each.stop();
      folder.remove();
      asItWas.remove();
    },
  };
}

/**
 * In alternated rounds of so many requests, when both are warm: the median of the rounds' ratios. Of
 * all ways to make one number of them it moved least with what else the machine did.
 */
async function againstBare(
  ours: Server,
  next: () => string,
  bare: Server,
  nextBare: () => string,
  requests: number,
): Promise<number> {
  const ratios: number[] = [];
  for (const [server, make] of [[ours, next] as const, [bare, nextBare] as const])
    await costOf(server, make, WARMING * requests);
  for (let round = 0; round < ROUNDS; round++)
    ratios.push((await costOf(ours, next, requests)) / (await costOf(bare, nextBare, requests)));
  return median(ratios);
}

/** Processor time of a request; the server is held still before and after. */
async function costOf(server: Server, next: () => string, requests: number): Promise<number> {
  server.resume();
  const before = cpuOf(server);
  const { port } = server;
  const { count } = await load({ port, connections: CONNECTIONS, seconds: LONGEST_S, requests, next });
  const cost = (cpuOf(server) - before) / count;
  server.pause();
  return cost;
}

async function replayed(folder: Folder): Promise<number> {
  const costOf = async (way: Way) => {
    const { cpuMs, facts } = await measured(way, folder.path);
    return cpuMs / facts;
  };
  const ratios: number[] = [];
  for (let round = 0; round < REPLAYS; round++)
    ratios.push((await costOf('replay')) / (await costOf('page')));
  return median(ratios);
}
