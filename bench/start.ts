import { memoryOf, median, quick, startPresage, table, whole } from './common.js';
import { copyOf } from './data.js';
import { oneByOne, requestOf } from './load.js';

/**
 * How long from the start of the process until the first answer, on 1,000,000 facts and on an empty folder,
 * in alternated rounds: the documents are there, nothing is replayed. `node dist/bench/start.js [--quick]`
 */
const EVENTS = quick ? 50_000 : 500_000;
const ROUNDS = quick ? 2 : 5;

const sides = [];
for (const events of [0, EVENTS])
  sides.push({ folder: await copyOf(events), times: [] as number[], memory: [] as number[] });
for (let round = 0; round < ROUNDS; round++)
  for (const { folder, times, memory } of sides) {
    const start = performance.now();
    const server = await startPresage(folder.path, 'api,projections,workers');
    const headers = { authorization: `Bearer ${folder.token}`, 'x-workspace-id': folder.workspaceId };
    await oneByOne(server.port, 1, () => requestOf('GET', '/v1/event/streams/stream-1/events', headers));
    times.push(performance.now() - start);
    memory.push(memoryOf(server).now);
    await server.stop();
  }
console.log(`seconds from the start of the process to the first answer, medians of ${ROUNDS} rounds`);
table(
  ['', 'seconds', 'MB of memory then', 'rounds'],
  sides.map(({ folder, times, memory }) => [
    `${whole(2 * folder.events)} facts`,
    (median(times) / 1000).toFixed(2),
    whole(median(memory)),
    times.map(ms => (ms / 1000).toFixed(2)).join(' '),
  ]),
);
for (const { folder } of sides) folder.remove();
