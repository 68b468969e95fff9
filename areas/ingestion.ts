import { heldBytes } from '../adapters/connectors/held-bytes.js';
import { later } from '../adapters/connectors/later.js';
import { restPoll } from '../adapters/connectors/rest-poll.js';
import type { Endings } from '../adapters/endings.js';
import { inOtherCell } from '../api/edge/other-cells.js';
import { connectorsOf, webhook } from '../api/ingestion/connectors.js';
import { fileConnectors } from '../api/ingestion/file-connectors.js';
import { pollConnectors } from '../api/ingestion/poll-connectors.js';
import { outgoing } from '../adapters/outgoing/client.js';
import { ingestionRows } from '../api/ingestion/rows.js';
import { bodiesOf } from '../commands/ingestion/bodies.js';
import { deliveryCommands } from '../commands/ingestion/deliveries.js';
import { intakeOf } from '../commands/ingestion/intake.js';
import { jobCommands } from '../commands/ingestion/jobs.js';
import { momentsOf } from '../commands/ingestion/moments.js';
import { tried } from '../commands/ingestion/trying.js';
import { executionFrames } from '../domain/ingestion/polls/frames.js';
import { sourceCommands } from '../commands/ingestion/sources.js';
import { cellsOf } from '../config.js';
import { andThen, type Awaitable } from '../projections/engine/awaitable.js';
import { eventsProjection } from '../projections/events/projection.js';
import { ingestionProjection } from '../projections/ingestion/projection.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { pollQueries } from '../projections/ingestion/poll-queries.js';
import { sourceQueries } from '../projections/ingestion/source-queries.js';
import { sourceKeeping } from '../workers/source-keeping.js';
import { firstJobs } from '../workers/first-jobs.js';
import { polling } from '../workers/polling.js';
import { area } from './area.js';
import type { EventsArea } from './events.js';
import { fileImports } from './file-imports.js';
import type { IdentityArea } from './identity.js';
import { allowedIn } from './outgoing.js';
import type { Kernel } from './kernel.js';
import { importNotices, sourceNotices } from './notices.js';
import type { SignalsArea } from './signals.js';
import type { UsageArea } from './usage.js';

type On = {
  readonly identity: IdentityArea;
  readonly events: EventsArea;
  readonly signals: SignalsArea;
  readonly usage: UsageArea;
};

/** Where events and points come from by themselves. */
export const ingestionArea = (kernel: Kernel, { identity, events, signals, usage }: On, ends: Endings) => {
  const { config, handle, tryOut, load, read, stores, clock, newId, log, address, visibleIn } = kernel;
  const visible = visibleIn(ingestionProjection);
  const sources = sourceCommands(handle, load, config.CELL);
  const queries = sourceQueries(read(ingestionProjection));
  const intake = intakeOf(events.commands, signals.commands);
  const bodies = ends.keep(bodiesOf({ kv: stores.kv, vault: stores.vault, clock, log }));
  const moments = ends.keep(momentsOf({ handle, log }));
  const deliveries = deliveryCommands({ intake, bodies, moments });
  const connectors = connectorsOf([webhook, ...pollConnectors, ...fileConnectors]);
  const jobs = jobCommands(handle);
  const polls = pollQueries(read(ingestionProjection));
  const world = ends.keep(outgoing({ allowed: allowedIn(config) }));
  const held = heldBytes();
  const asked = new Map([
    ['rest_poll', restPoll(world, held)],
    [
      'postgres',
      later(async () => (await import('../adapters/connectors/postgres.js')).postgres(world, held)),
    ],
    ['s3', later(async () => (await import('../adapters/connectors/s3.js')).s3(world))],
  ]);
  const shown = { events: visibleIn(eventsProjection), signals: visibleIn(signalsProjection) };
  const { allowance } = usage;
  const isArchived = (workspace: string): Awaitable<boolean> =>
    andThen(identity.directory.workspace(workspace), found => found?.archivedAt !== null);
  const files = fileImports(kernel, { intake, allowance });
  return area({
    name: 'ingestion',
    ...{ sources, queries, intake },
    notices: { ...sourceNotices, ...importNotices },
    reactors: [firstJobs(jobs)],
    frames: { of: executionFrames(polls.after), shown: visible },
    schedulers: {
      'source keeping': () => sourceKeeping({ queries, sources, handle, clock, newId, visible, log }),
      polling: () =>
        polling({
          ...{ sources, jobs, intake, connectors: asked, allowance, queries: polls },
          ...{ clock, newId, log, visible },
          shown: async ({ events: event, signals: point }) => {
            await Promise.all([shown.events(event), shown.signals(point)]);
          },
          async isAsked(workspace, sourceId) {
            const source = await queries.source(workspace, sourceId);
            return source !== null && source.status !== 'paused' && !(await isArchived(workspace));
          },
        }),
      ...files.schedulers,
    },
    rows: [
      ...ingestionRows({
        ...{ sources, deliveries, bodies, queries, connectors, clock, jobs, polls, allowance, visible },
        tried: (source, signal) => tried(asked, source, signal),
        refusal: async (connectorId, given) => (await asked.get(connectorId)?.refusal(given)) ?? null,
        most: {
          ...{ sources: config.SOURCES_PER_WORKSPACE, jobs: config.JOBS_PER_WORKSPACE },
          jobsOfSource: config.JOBS_PER_SOURCE,
        },
        publicUrl: address.url,
        inOtherCell: inOtherCell(cellsOf(config)),
        dry: { sources: sourceCommands(tryOut, load, config.CELL), jobs: jobCommands(tryOut) },
        isArchived,
        shown,
        head: () => stores.events.head(),
      }),
      ...files.rows,
    ],
  });
};
export type IngestionArea = ReturnType<typeof ingestionArea>;
