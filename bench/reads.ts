import { median, memoryOf, quick, ratio, startPresage, table, whole, type Server } from './common.js';
import { copyOf, streamOf, streamsIn, textOf, timeOf, type Folder } from './data.js';
import { oneByOne, requestOf } from './load.js';
import { eventIdOf } from '../commands/events/ids.js';

/**
 * Reads over HTTP at 1,000,000 events in 50 streams against 1,000 in 2, one request at a time on one
 * connection, in alternated rounds; then the list of streams with all its points, and what memory that takes.
 * `node dist/bench/reads.js [--quick]`
 */
const MANY = quick ? 50_000 : 1_000_000;
const FEW = 1_000;
const ROUNDS = quick ? 3 : 9;
const REQUESTS = quick ? 50 : 200;
const LISTS = 3;

type Side = { readonly folder: Folder & { readonly remove: () => void }; readonly server: Server };

const anyOf = (count: number): number => Math.floor(Math.random() * count);

/** What is asked: the path of one request to a side. */
const reads: Readonly<Record<string, (side: Side) => string>> = {
  'newest page of a stream': ({ folder }) =>
    `/v1/event/streams/${streamOf(anyOf(50), streamsIn(folder.events))}/events`,
  'random old page of a stream': ({ folder: { events, now } }) => {
    // Old enough that a whole page of 100 lies before it
    const n = 100 * streamsIn(events) + anyOf(events - 100 * streamsIn(events));
    return `/v1/event/streams/${streamOf(n, streamsIn(events))}/events?before=${timeOf(n, events, now)}`;
  },
  'upcoming events': () => '/v1/event/upcoming?within_hours=9600&limit=100',
  'one event': ({ folder: { events, now, workspaceId } }) => {
    const n = anyOf(events);
    const stream = streamOf(n, streamsIn(events));
    return `/v1/event/${eventIdOf(workspaceId, stream, timeOf(n, events, now), textOf(n))}`;
  },
};

const headersOf = ({ token, workspaceId }: Folder) => ({
  authorization: `Bearer ${token}`,
  'x-workspace-id': workspaceId,
});

async function side(events: number): Promise<Side> {
  const folder = await copyOf(events);
  return { folder, server: await startPresage(folder.path, 'api,projections') };
}

async function compare(many: Side, few: Side): Promise<void> {
  const rows: string[][] = [];
  for (const [name, pathOf] of Object.entries(reads)) {
    const time = async (at: Side) =>
      median(
        await oneByOne(at.server.port, REQUESTS, () => requestOf('GET', pathOf(at), headersOf(at.folder))),
      );
    const rounds: [many: number, few: number][] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const both: [number, number] = [await time(many), await time(few)];
      if (round >= 0) rounds.push(both); // the first round warms up
    }
    const of = (i: 0 | 1) => median(rounds.map(round => round[i]));
    rows.push([name, of(1).toFixed(2), of(0).toFixed(2), ratio(median(rounds.map(([a, b]) => a / b)))]);
  }
  console.log(`ms a request, medians of ${ROUNDS} rounds of ${REQUESTS} requests`);
  table(['', `${whole(FEW)} events`, `${whole(MANY)} events`, 'ratio'], rows);
}

/**
 * Reads the list to its end and drops it; how many bytes came, and the most memory the server had meanwhile.
 */
async function list({
  server,
  folder,
}: Side): Promise<{ seconds: number; bytes: number; before: number; peak: number }> {
  const before = memoryOf(server).now;
  const start = performance.now();
  let bytes = 0;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(server).now);
  }, 20);
  const answer = await fetch(`http://127.0.0.1:${server.port}/v1/event/streams`, {
    headers: headersOf(folder),
  });
  for await (const chunk of answer.body!) bytes += (chunk as Uint8Array).length;
  clearInterval(watch);
  return { seconds: (performance.now() - start) / 1000, bytes, before, peak };
}

const many = await side(MANY);
const few = await side(FEW);
const lists = [];
for (let i = 0; i < LISTS; i++) lists.push(await list(many));
console.log(`\nthe list of streams with ${whole(MANY)} points, on a server that has just started`);
table(
  ['', 'seconds', 'MB sent', 'MB of memory before', 'most meanwhile', 'more'],
  lists.map(({ seconds, bytes, before, peak }, i) => [
    `${i + 1}`,
    seconds.toFixed(1),
    whole(bytes / 1e6),
    whole(before),
    whole(peak),
    whole(peak - before),
  ]),
);
await compare(many, few);
for (const { server, folder } of [many, few]) {
  await server.stop();
  folder.remove();
}
