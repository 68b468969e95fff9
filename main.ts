import { createHash, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { openStores, type Stores } from './adapters/open.js';
import { createScorer } from './adapters/scorer/scorer.js';
import { eventRows } from './api/events/rows.js';
import { groupRows } from './api/groups/rows.js';
import type { Row } from './api/row.js';
import { signalRows } from './api/signals/rows.js';
import { userRows } from './api/users/rows.js';
import { apiTokenCommands, type ApiTokenCommands } from './commands/api-tokens.js';
import { clearing } from './commands/erasure.js';
import { eventCommands } from './commands/events.js';
import { groupCommands } from './commands/groups.js';
import { handler, loader, type Handle } from './commands/handle.js';
import { opsCommands } from './commands/ops.js';
import { signalCommands } from './commands/signals.js';
import { tokenUses, type TokenUses } from './commands/token-uses.js';
import { userCommands, type UserCommands } from './commands/users.js';
import { cellsOf, opsAddresses, type Config } from './config.js';
import { START, type Fact } from './domain/fact.js';
import { groupKinds } from './domain/groups/facts.js';
import type { Scorer } from './domain/scoring.js';
import { auditProjection } from './projections/audit/projection.js';
import { auditQueries } from './projections/audit/queries.js';
import { eventQueries, type EventQueries } from './projections/events/queries.js';
import { eventsProjection } from './projections/events/projection.js';
import { directory, type Directory } from './projections/identity/directory.js';
import { groupQueries } from './projections/identity/group-queries.js';
import { identityProjection } from './projections/identity/projection.js';
import { accountQueries } from './projections/identity/queries.js';
import { checkpointName, collectionsOf, type Projection } from './projections/projection.js';
import { reader } from './projections/reader.js';
import { signalsProjection } from './projections/signals/projection.js';
import { signalQueries } from './projections/signals/queries.js';
import { dueScheduler } from './workers/due.js';
import { erasure } from './workers/erasure.js';
import type { Running } from './workers/follow.js';
import { leader, type Leader } from './workers/leader.js';
import type { Log } from './workers/log.js';
import { projector, type Projector } from './workers/projector.js';
import { react } from './workers/reactor.js';
import { scoring } from './workers/scoring.js';
import { serving, type Serving } from './workers/serving.js';

export const projections: readonly Projection[] = [identityProjection, auditProjection, eventsProjection, signalsProjection];
export const roles = ['api', 'projections', 'workers'] as const;
export type PlatformRole = (typeof roles)[number];

/** Everything that runs, wired: the one place that knows all rooms. */
export type Platform = {
  readonly config: Config; readonly log: Log; readonly clock: () => number; readonly newId: () => string;
  readonly stores: Stores; readonly served: Serving; readonly handle: Handle;
  readonly directory: Directory; readonly events: EventQueries; readonly rows: readonly Row[];
  readonly users: UserCommands; readonly tokens: ApiTokenCommands; readonly uses: TokenUses;
  /** Resolves when the read models of all projections hold the fact at a position, or when that takes longer than is allowed. */
  readonly visible: (position: number | null) => Promise<void>;
  /** Where the documents of a projection stand. */
  readonly positionOf: (p: Projection) => Promise<number>;
  /** The projector of this process, where it has that part and leads. */
  readonly projectorOf: (p: Projection) => Projector | null;
  /** Events that wait for a score. */
  readonly backlog: () => Promise<number>;
  /** Stops all that runs in its order, writes what is left, lets go of the stores. */
  readonly stop: () => Promise<void>;
};

export type Opening = {
  readonly config: Config; readonly log: Log; readonly running: readonly PlatformRole[];
  /** Who opens the stores, for the message to a second process. */
  readonly owner: string; readonly clock?: () => number;
};

const REFRESH_MS = 1_000;
/** Alone, this process makes every change itself and forgets at once; what other processes change it learns of within a second. */
const DIRECTORY = { size: 100_000, aloneMs: 60_000, sharedMs: 1_000 };

export async function openPlatform(opening: Opening): Promise<Platform> {
  const stores = await openStores(opening.config, { clock: opening.clock ?? Date.now, owner: opening.owner });
  try {
    return await platformOn(stores, opening);
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function platformOn(stores: Stores, { config, log, running, owner, clock = Date.now }: Opening): Promise<Platform> {
  const newId = randomUUID;
  const served = await serving(stores.kv, projections);
  for (const p of projections) await stores.models.prepare(collectionsOf(p, served.generationOf(p)));
  const handle = handler(stores.events, newId), load = loader(stores.events);
  const read = (p: Projection) => reader(stores.models, p, served.generationOf);
  const who = directory(read(identityProjection), { clock, size: DIRECTORY.size, ttlMs: stores.shared ? DIRECTORY.sharedMs : DIRECTORY.aloneMs });
  const events = eventQueries(read(eventsProjection)), signals = signalQueries(read(signalsProjection));
  const base = { clock, log, store: stores.events, models: stores.models };

  const has = (role: PlatformRole) => running.includes(role);
  /** Work that one process at a time may do, where several share the stores. */
  const alone = <T extends Running>(name: string, start: (fence?: () => number) => T): Leader<T> =>
    leader({ name, start, kv: stores.shared ? stores.kv : null, holder: owner, clock, log });

  const projectors = has('projections')
    ? projections.map(p => alone(`projection ${p.name}`, fence => projector({
      ...base, projection: p, generationOf: served.generationOf, ...(fence && { fence }), advanced: forgetOf(p, who),
    })))
    : [];
  const projectorOf = (p: Projection) => projectors[projections.indexOf(p)]?.active() ?? null;
  const positionOf = async (p: Projection) =>
    projectorOf(p)?.position() ?? stores.models.checkpoint(checkpointName(p, served.generationOf(p)));
  const reached = async (p: Projection, position: number) => {
    const local = projectorOf(p);
    return local ? local.reached(position, config.VISIBLE_WITHIN_MS) : polled(() => positionOf(p), position, config.VISIBLE_WITHIN_MS, clock);
  };
  const visibleIn = (...those: readonly Projection[]) => async (position: number | null) => {
    if (position !== null) await Promise.all(those.map(p => reached(p, position)));
  };
  const visible = visibleIn(...projections);

  const accounts = accountQueries(read(identityProjection));
  const uses = tokenUses({ kv: stores.kv, clock, failed: err => log.warn({ err }, 'last uses of tokens not written') });
  const clear = clearing({ handle, vault: stores.vault, uses, tokensOf: accounts.tokensOf, scrub: stores.scrub });
  const users = userCommands({
    handle, load, cleared: async (uid, position, context) => await reached(identityProjection, position) && (await clear(uid, context), true),
  });
  const tokens = apiTokenCommands({ handle, load, cell: config.CELL });

  let scorer: Scorer | null = null;
  const work: Leader<Running>[] = [];
  if (has('workers')) {
    const scores = scorer = await createScorer({ threads: threadsOf(config) });
    work.push(
      alone('reactor scoring', () => react(
        scoring({ scorer: scores, profileOf: profilesFrom(who), log, concurrency: 4 * threadsOf(config) }),
        { ...base, means: { handle, load } },
      )),
      alone('reactor erasure', () => react(
        erasure({ clear, reached: position => reached(identityProjection, position) }), { ...base, means: { handle, load } },
      )),
      alone('scheduler due', () => dueScheduler({ queries: events, handle, clock, newId, visible, log })),
    );
  }
  const refresh = setInterval(() => { served.refresh().catch((err: unknown) => log.warn({ err }, 'serving generations not refreshed')); }, REFRESH_MS);
  refresh.unref();

  return {
    config, log, clock, newId, stores, served, handle, directory: who, events, visible, positionOf, projectorOf, users, tokens, uses,
    rows: [
      ...userRows({
        users, tokens, ops: opsCommands(handle, opsAddresses(config)), queries: accounts, uses, clock,
        visible: visibleIn(identityProjection), cell: config.CELL, cells: cellsOf(config),
      }),
      ...eventRows({ commands: eventCommands(handle), queries: events, clock, visible: visibleIn(eventsProjection) }),
      ...signalRows({ commands: signalCommands(handle, signals.known), queries: signals, clock, visible: visibleIn(signalsProjection) }),
      ...groupKinds.flatMap(kind => groupRows(kind, {
        commands: groupCommands(handle, config.CELL), queries: groupQueries(read(identityProjection)), audit: auditQueries(read(auditProjection)),
        clock, visible: visibleIn(identityProjection, auditProjection),
      })),
    ],
    backlog: async () => (await events.totals()).pending,
    async stop() {
      clearInterval(refresh);
      await Promise.all(work.map(({ stop }) => stop()));
      await Promise.all(projectors.map(({ stop }) => stop()));
      await scorer?.close();
      await uses.stop();
      await stores.close();
    },
  };
}

/** What an identity fact changes is forgotten at once by the process that projects it. */
const forgetOf = (p: Projection, who: Directory) => (page: readonly Fact[]) => {
  if (p === identityProjection && page.some(({ type }) => type in p.on)) who.forget();
};

const threadsOf = ({ SCORER_THREADS }: Config): number => SCORER_THREADS || Math.max(1, availableParallelism() - 1);

/** A workspace's own words, which weigh in the relevance of its events. */
const profilesFrom = (who: Directory) => async (workspace: string) => {
  const phrases = (await who.workspace(workspace))?.domainTerms ?? [];
  const version = createHash('sha256').update(JSON.stringify(phrases)).digest('hex').slice(0, 8);
  return { version, description: '', phrases: [...phrases] };
};

const POLL_MS = 10;

/** Asks until a position is reached, at most for `ms`: for processes that do not project themselves. */
async function polled(positionOf: () => Promise<number>, wanted: number, ms: number, clock: () => number): Promise<boolean> {
  for (const until = clock() + ms; ;) {
    if (await positionOf() >= wanted) return true;
    if (clock() >= until) return false;
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}

/** How far the read models are behind the log, in ms of the oldest fact they lack; 0 when they hold all. */
export async function lagOf({ stores, positionOf, clock }: Platform): Promise<number> {
  const position = Math.min(...await Promise.all(projections.map(positionOf)));
  const [next] = await stores.events.page(position, 1);
  return next ? Math.max(0, clock() - next.at) : 0;
}

export const isEmpty = async ({ stores }: Platform): Promise<boolean> => await stores.events.head() === START;
