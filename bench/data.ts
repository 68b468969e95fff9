import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventIdOf } from '../commands/events/ids.js';
import type { EventStore } from '../commands/ports/event-store.js';
import { readConfig } from '../config.js';
import { DAY, HOUR } from '../domain/time.js';
import { neutralScores } from '../domain/events/numeric.js';
import { START, type NewFact } from '../domain/fact.js';
import { openPlatform } from '../main.js';

// Data folders with many facts, made once through the event store's port and the projections, and kept
// between runs under the system's temporary folder: remove `presage-bench` there after a change of what is
// stored.

export type Folder = {
  readonly path: string;
  readonly token: string;
  readonly workspaceId: string;
  /** Recorded events; each is scored too, so that the log holds twice as many facts. */
  readonly events: number;
  /** When it was made, epoch ms. */
  readonly now: number;
};

const CACHE = join(tmpdir(), 'presage-bench');
const CHUNK = 500;
/** How many events lie in the future, whatever the number of all. */
export const UPCOMING = 200;
const TEXT = 'Storm cuts power to 40,000 homes along the coast; crews expect repairs to take two days. '
  .repeat(4)
  .slice(0, 290);

export const textOf = (n: number): string => `${n} ${TEXT}`;
export const streamOf = (n: number, streams: number): string => `stream-${n % streams}`;
export const streamsIn = (events: number): number => (events >= 10_000 ? 50 : 2);
/** An event every second, the last an hour ago; the first few are still to come. */
export const timeOf = (n: number, events: number, now: number): number =>
  n < UPCOMING ? now + 300 * DAY + (n * HOUR) / 10 : now - HOUR - (events - n) * 1000;

/** A folder of so many events, to be read only: others use it too. */
export async function folderOf(events: number, streams = streamsIn(events)): Promise<Folder> {
  const path = join(
    CACHE,
    streams === streamsIn(events) ? `events-${events}` : `events-${events}-${streams}`,
  );
  const known = join(path, 'bench.json');
  if (!existsSync(known)) {
    mkdirSync(CACHE, { recursive: true });
    const building = mkdtempSync(join(CACHE, 'building-'));
    writeFileSync(join(building, 'bench.json'), JSON.stringify(await build(building, events, streams)));
    rmSync(path, { recursive: true, force: true });
    renameSync(building, path);
  }
  return { path, ...(JSON.parse(readFileSync(known, 'utf8')) as Omit<Folder, 'path'>) };
}

/** A copy of such a folder to write to, and the way to remove it. */
export async function copyOf(
  events: number,
  streams = streamsIn(events),
): Promise<Folder & { readonly remove: () => void }> {
  const original = await folderOf(events, streams);
  const path = mkdtempSync(join(CACHE, 'copy-'));
  cpSync(original.path, path, { recursive: true });
  return { ...original, path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

async function build(path: string, events: number, streams: number): Promise<Omit<Folder, 'path'>> {
  const config = readConfig({ DATA_DIR: path });
  const log = { info() {}, debug() {}, warn: console.warn, error: console.error };
  const platform = await openPlatform({ config, log, running: ['projections'], owner: 'bench' });
  const now = Date.now();
  const context = {
    workspace: null,
    actor: 'operator',
    request: null,
    correlation: randomUUID(),
    causation: null,
    at: now,
  };
  const { token, workspaceId, position } = await platform.areas.identity.install(
    {
      organization: 'Bench',
      workspace: 'Bench',
      email: 'b@example.org',
      name: 'Bench',
      domainTerms: [],
      cell: config.CELL,
    },
    context,
  );
  await platform.visible(position);
  await fill(platform.stores.events, { workspaceId, events, streams, now }, platform.visible);
  await platform.stop();
  return { token, workspaceId, events, now };
}

type Filling = {
  readonly workspaceId: string;
  readonly events: number;
  readonly streams: number;
  readonly now: number;
};

/** Chunks of recordings, each followed by its scores, as when the scorer keeps up. */
async function fill(
  store: EventStore,
  filling: Filling,
  visible: (position: number) => Promise<void>,
): Promise<void> {
  const { events } = filling;
  for (let from = 0; from < events; from += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, events - from) }, (_, i) => from + i);
    const recorded = numbers.map(n => recording(filling, n));
    await Promise.all(recorded.map(({ journal, fact }) => store.append(journal, START, [fact])));
    await Promise.all(recorded.map(({ journal, fact, n }) => store.append(journal, 0, [scoreOf(fact, n)])));
    await visible(await store.head());
  }
}

function recording({ workspaceId: workspace, events, streams, now }: Filling, n: number) {
  const key = streamOf(n, streams);
  const text = textOf(n);
  const occurredAt = timeOf(n, events, now);
  const correlation = randomUUID();
  const eventId = eventIdOf(workspace, key, occurredAt, text);
  const shape = occurredAt > now ? 'scheduled' : 'stale';
  const fact: NewFact = {
    type: 'EventRecorded',
    id: randomUUID(),
    at: now,
    data: { eventId, key, text, occurredAt, shape },
    meta: { workspace, actor: 'token:tok_bench', request: correlation, correlation, causation: null },
  };
  return { n, journal: `event-${workspace}.${eventId}`, fact };
}

function scoreOf({ data, meta, id, at }: NewFact, n: number): NewFact {
  const { eventId, key } = data as { eventId: string; key: string };
  const reasons = [
    { feature: 'storm', weight: -0.3125, span: [8, 13] },
    { feature: 'power', weight: 0.2106, span: [19, 24] },
  ];
  return {
    type: 'EventScored',
    id: randomUUID(),
    at,
    meta: { ...meta, actor: 'reactor:scoring', request: null, causation: id },
    data: {
      eventId,
      key,
      scores: { ...neutralScores(), polarity: -0.3125, importance: 0.7106, rank: n % 101 },
      reasons,
      version: 'bench-1',
    },
  };
}
