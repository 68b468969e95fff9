import { projections } from '../main.js';
import { startPlatform, temporaryFolder, until } from '../test/platform.js';
import { serversFor } from '../test/servers/on-servers.js';
import { median, table, whole } from './common.js';

/**
 * What an event costs that is recorded alone, and what a platform costs that has nothing to do: on
 * EventStoreDB (the test node where EVENTSTORE_URL names none) and MongoDB, beside the embedded stores; one
 * process with all roles: `node test/servers/server.mjs ferretdb node dist/bench/servers.js`
 */
const WARM = 20;
const EVENTS = 60;
const IDLE_MS = 10_000;

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

async function measured(env: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = temporaryFolder();
  const { platform, call, stop } = await startPlatform(folder.path, { env });
  await until(async () => projections.every(p => platform.projectors.of(p)), 'the leases');
  const record = async (i: number): Promise<number> => {
    const began = performance.now();
    const body = { key: 'ports', text: `Strike closes port number ${i}` };
    const { status, text } = await call('POST', '/v1/event/record', { body });
    if (status !== 200) throw new Error(text);
    return performance.now() - began;
  };
  const events = async (): Promise<{ status: string }[]> =>
    (await call('GET', '/v1/event/streams/ports/events?per_page=100')).json.data.events;
  const settled = (): Promise<unknown> =>
    until(async () => (await events()).every(({ status }) => status === 'scored'), 'the scores');
  for (let i = 0; i < WARM; i++) await record(i);
  await settled();
  const [began, used] = [performance.now(), processorMs()];
  const answered: number[] = [];
  for (let i = 0; i < EVENTS; i++) answered.push(await record(WARM + i));
  await settled();
  const [ms, busy] = [performance.now() - began, processorMs() - used];
  const before = processorMs();
  await new Promise(resolve => setTimeout(resolve, IDLE_MS));
  const idle = (processorMs() - before) / IDLE_MS;
  await stop();
  folder.remove();
  return [
    median(answered).toFixed(0),
    whole(ms / EVENTS),
    whole(busy / EVENTS),
    `${(100 * idle).toFixed(0)} %`,
  ];
}

const rows = [['embedded stores', ...(await measured({}))]];
const folder = temporaryFolder();
const { env, end } = await serversFor(folder.path, 'bench');
rows.push(['servers', ...(await measured(env))]);
end();
folder.remove();
table(['', 'ms to the answer', 'ms an event, scored', 'processor ms an event', 'of a core, idle'], rows);
