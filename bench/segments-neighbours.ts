import { readConfig } from '../config.js';
import { openPlatform } from '../main.js';
import { cpuOf, quick, startPresage, table, whole, type Server } from './common.js';
import { copyOf } from './data.js';
import { Quiet } from './neighbours-quiet.js';
import { signals } from './segments-data.js';
import { features, recipe } from './segments-recipe.js';

/**
 * The small calls of a workspace while another one's segment of 100,000 rows and 100 columns is built, and
 * before: p50, p99 and most, ms. `node dist/bench/segments-neighbours.js [--quick]`; --quick: 20,000 rows.
 */
const ROWS = quick ? 20_000 : 100_000;
const SECONDS = quick ? 5 : 20;
/** Three kinds of calls in turns, about ten a second of each. */
const PAUSE_MS = 25;
const POINTS_A_PUSH = 5_000;

/** A data folder with the signals of the recipe in one workspace, and another workspace. */
async function furnished() {
  const folder = await copyOf(0);
  const config = readConfig({ DATA_DIR: folder.path });
  const log = { info() {}, debug() {}, warn: console.warn, error: console.error };
  const platform = await openPlatform({ config, log, running: ['projections'], owner: 'bench' });
  const context = {
    ...{ workspace: null, actor: 'operator', request: null, causation: null },
    ...{ correlation: platform.newId(), at: Date.now() },
  };
  const them = { organization: 'Q', workspace: 'Q', email: 'q@example.org', name: 'Q', domainTerms: [] };
  const quiet = await platform.areas.identity.install({ ...them, cell: config.CELL }, context);
  const { workspaceId: workspace } = folder;
  for (const [key, { times, values }] of signals(ROWS))
    for (let from = 0; from < times.length; from += POINTS_A_PUSH) {
      const some = (all: Float64Array): number[] => [...all.subarray(from, from + POINTS_A_PUSH)];
      const push = { key, times: some(times), values: some(values), unit: null, origin: 'api' } as const;
      const pushed = await platform.areas.signals.commands.push(workspace, [push], { ...context, workspace });
      await platform.visible(pushed[0]!.position);
    }
  await platform.stop();
  return { folder, quiet };
}

const { folder, quiet } = await furnished();
const server = await startPresage(folder.path, 'api,projections,workers');
const headers = {
  authorization: `Bearer ${folder.token}`,
  'x-workspace-id': folder.workspaceId,
  'content-type': 'application/json',
};

async function asked(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    ...{ method, headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}

/** Small calls for some seconds, and on while there is a reason. */
async function measured(name: string, of: Server, goesOn: () => Promise<boolean>): Promise<string[]> {
  const client = new Quiet(of.port, quiet.token, quiet.workspaceId, PAUSE_MS);
  const [began, cpu] = [performance.now(), cpuOf(of)];
  await client.run(SECONDS);
  while (await goesOn()) await client.run(1);
  const seconds = (performance.now() - began) / 1_000;
  const share = Math.round((cpuOf(of) - cpu) / 1e4 / seconds);
  return [name, ...client.cells(), seconds.toFixed(0), `${share}%`];
}

const warming = new Quiet(server.port, quiet.token, quiet.workspaceId, PAUSE_MS);
await warming.run(3);
const before = await measured('nothing', server, async () => false);
const { segment_id: id } = await asked('POST', '/v1/segment', { name: 'Neighbour', ...recipe });
const status = async (): Promise<unknown> => (await asked('GET', `/v1/segment/${id}`))['status'];
const during = await measured('a build', server, async () => (await status()) === 'building');
const end = await status();
await server.stop();
folder.remove();
console.log(
  `${features.length} features, ${whole(ROWS)} rows, built in a process of its own; the segment is ${end}. `
    + 'ms of the small calls of another workspace: p50 / p99 / most',
);
table(
  ['beside it', 'user/me', 'record', 'push', 'refused', 'seconds', "processor, the platform's"],
  [before, during],
);
