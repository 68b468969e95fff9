import { createHash, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createCompute } from './adapters/compute/pool.js';
import { openStores, type Stores } from './adapters/open.js';
import { createScorer } from './adapters/scorer/scorer.js';
import { answers } from './api/edge/answers.js';
import { eventRows } from './api/events/rows.js';
import { groupRows } from './api/groups/rows.js';
import type { Row } from './api/edge/row.js';
import { signalRows } from './api/signals/rows.js';
import { userRows } from './api/users/rows.js';
import { apiTokenCommands, type ApiTokenCommands } from './commands/api-tokens.js';
import { clearing, departing } from './commands/erasure.js';
import { eventCommands } from './commands/events.js';
import { StoreUnavailable } from './commands/ports/event-store.js';
import { groupCommands, type GroupCommands } from './commands/groups.js';
import { handler, loader, type Handle } from './commands/engine/handle.js';
import { opsCommands } from './commands/ops.js';
import { signalCommands } from './commands/signals.js';
import { registering, type Register } from './commands/registration.js';
import { tokenUses, type TokenUses } from './api/users/token-uses.js';
import { userCommands, type UserCommands } from './commands/users.js';
import { cellsOf, opsAddresses, type Config } from './config.js';
import type { Compute } from './domain/maths/compute.js';
import { START } from './domain/fact.js';
import { groupKinds } from './domain/groups/facts.js';
import type { Profile, Scorer } from './domain/events/scoring.js';
import type { Tasks } from './domain/maths/tasks.js';
import { auditProjection } from './projections/audit/projection.js';
import { auditQueries } from './projections/audit/queries.js';
import { catalogue } from './projections/catalogue/queries.js';
import { eventQueries, type EventQueries } from './projections/events/queries.js';
import { eventsProjection } from './projections/events/projection.js';
import { directory, type Directory } from './projections/identity/directory.js';
import { groupQueries } from './projections/identity/group-queries.js';
import { identityProjection } from './projections/identity/projection.js';
import { accountQueries } from './projections/identity/queries.js';
import { eventReads } from './projections/marketplace/event-reads.js';
import { marketplaceProjection } from './projections/marketplace/projection.js';
import { marketplaceQueries, type MarketplaceQueries } from './projections/marketplace/queries.js';
import { signalReads } from './projections/marketplace/signal-reads.js';
import { collectionsOf, type Projection } from './projections/engine/projection.js';
import { reader } from './projections/engine/reader.js';
import { signalCourses } from './projections/signals/courses.js';
import { signalLists } from './projections/signals/lists.js';
import { signalsProjection } from './projections/signals/projection.js';
import { signalQueries, type SignalQueries } from './projections/signals/queries.js';
import { dueScheduler } from './workers/due.js';
import { erasure } from './workers/erasure.js';
import type { Running } from './workers/engine/follow.js';
import { leader, type Leader } from './workers/engine/leader.js';
import type { Log } from './commands/ports/log.js';
import type { Projector } from './workers/engine/projector.js';
import { projectorsOf } from './workers/engine/projectors.js';
import { react } from './workers/engine/reactor.js';
import { scoring } from './workers/scoring.js';
import { serving, type Serving } from './workers/engine/serving.js';

export const projections: readonly Projection[] = [
  identityProjection,
  auditProjection,
  eventsProjection,
  signalsProjection,
  marketplaceProjection,
];
export const roles = ['api', 'projections', 'workers'] as const;
export type PlatformRole = (typeof roles)[number];

/** Everything that runs, wired: the one place that knows all rooms. */
export type Platform = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly stores: Stores;
  readonly served: Serving;
  readonly handle: Handle;
  readonly directory: Directory;
  readonly events: EventQueries;
  readonly signals: SignalQueries;
  readonly market: MarketplaceQueries;
  readonly rows: readonly Row[];
  readonly users: UserCommands;
  readonly groups: GroupCommands;
  readonly tokens: ApiTokenCommands;
  readonly uses: TokenUses;
  readonly register: Register;
  /**
   * Resolves when the read models of all projections hold the fact at a position, or when that takes longer
   * than is allowed.
   */
  readonly visible: (position: number | null) => Promise<void>;
  /** Where the documents of a projection stand. */
  readonly positionOf: (p: Projection) => Promise<number>;
  /** The projector of this process, where it has that part and leads. */
  readonly projectorOf: (p: Projection) => Projector | null;
  /** How far the read models are behind the log, in ms of the oldest fact they lack; 0 when they hold all. */
  readonly lag: () => Promise<number>;
  /** A workspace's own words, and how many threads may score. */
  readonly profileOf: (workspace: string) => Promise<Profile>;
  readonly scorerThreads: number;
  /** Events that wait for a score. */
  readonly backlog: () => Promise<number>;
  /** Stops all that runs in its order, writes what is left, lets go of the stores. */
  readonly stop: () => Promise<void>;
};

export type Opening = {
  readonly config: Config;
  readonly log: Log;
  readonly running: readonly PlatformRole[];
  /** Who opens the stores, for the message to a second process. */
  readonly owner: string;
  readonly clock?: () => number;
};

const REFRESH_MS = 1_000;
/** Scoring waits so long for the read models before it fails and begins again. */
const SCORING_WAITS_MS = 5_000;
/**
 * Alone, this process makes every change itself and forgets at once; what other processes change it learns of
 * within a second.
 */
const DIRECTORY = { size: 100_000, aloneMs: 60_000, sharedMs: 1_000 };
/** Answers of analyses that are kept while their data stay the same. */
const ANSWERS = { count: 1_000, bytes: 64 * 1024 * 1024 };

export async function openPlatform(opening: Opening): Promise<Platform> {
  const stores = await openStores(opening.config, { clock: opening.clock ?? Date.now, owner: opening.owner });
  try {
    return await platformOn(stores, opening);
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function platformOn(
  stores: Stores,
  { config, log, running, owner, clock = Date.now }: Opening,
): Promise<Platform> {
  const newId = randomUUID;
  const served = await serving(stores.kv, projections);
  for (const p of projections) await stores.models.prepare(collectionsOf(p, served.generationOf(p)));
  const reads = readsOf(stores, served, clock);
  const { directory: who, events } = reads;
  const profileOf = profilesFrom(who);
  const kv = stores.shared ? stores.kv : null;
  const projectors = projectorsOf({
    store: stores.events,
    models: stores.models,
    projections,
    generationOf: served.generationOf,
    here: running.includes('projections'),
    kv,
    holder: owner,
    clock,
    log,
    withinMs: config.VISIBLE_WITHIN_MS,
    // What an identity fact changes is forgotten at once by the process that projects it
    advanced: (p, page) => {
      if (p === identityProjection) who.forget(page);
    },
  });
  const visibleIn: VisibleIn =
    (...those) =>
    async position => {
      if (position !== null) await Promise.all(those.map(p => projectors.reached(p, position)));
    };
  const visible = visibleIn(...projections);
  const { reached } = projectors;
  const writes = writesOf({ stores, config, clock, newId, log, reads, reached });
  const compute = createCompute({
    workers: config.COMPUTE_WORKERS || allButOne(),
    memoryMb: config.COMPUTE_MEMORY_MB,
    withinMs: config.COMPUTE_WITHIN_MS,
  });
  const scorer = running.includes('workers') ? await createScorer({ threads: threadsOf(config) }) : null;
  const reacting = {
    stores,
    config,
    log,
    clock,
    newId,
    kv,
    owner,
    profileOf,
    visible,
    reached,
    events,
    writes,
  };
  const work = scorer ? reactors({ scorer, ...reacting }) : [];
  const refresh = setInterval(() => {
    served.refresh().catch((err: unknown) => log.warn({ err }, 'serving generations not refreshed'));
  }, REFRESH_MS);
  refresh.unref();

  const { handle, users, register, groups, tokens, uses } = writes;
  const { signals, market } = reads;
  return {
    config,
    log,
    clock,
    newId,
    stores,
    served,
    handle,
    directory: who,
    events,
    signals,
    market,
    users,
    register,
    groups,
    tokens,
    uses,
    visible,
    positionOf: projectors.positionOf,
    projectorOf: projectors.of,
    lag: projectors.lag,
    profileOf,
    scorerThreads: threadsOf(config),
    rows: rowsOf({ config, clock, reads, writes, compute, visibleIn }),
    backlog: async () => (await events.totals()).pending,
    async stop() {
      clearInterval(refresh);
      await Promise.all(work.map(({ stop }) => stop()));
      await projectors.stop();
      await scorer?.close();
      await compute.close();
      await uses.stop();
      await stores.close();
    },
  };
}

type Reached = (p: Projection, position: number, ms?: number) => Promise<boolean>;
type VisibleIn = (...those: readonly Projection[]) => (position: number | null) => Promise<void>;

/** All that is read, from the collections that serve today. */
function readsOf(stores: Stores, served: Serving, clock: () => number) {
  const read = (p: Projection) => reader(stores.models, p, served.generationOf);
  const events = eventQueries(read(eventsProjection));
  const signals = signalQueries(read(signalsProjection));
  const market = marketplaceQueries(read(marketplaceProjection));
  const lists = signalLists(read(signalsProjection));
  const ttlMs = stores.shared ? DIRECTORY.sharedMs : DIRECTORY.aloneMs;
  return {
    events,
    signals,
    market,
    lists,
    catalogue: catalogue(lists, events, market),
    courses: signalCourses(read(signalsProjection)),
    eventsSeen: eventReads(events, market),
    signalsSeen: signalReads(signals, market),
    directory: directory(read(identityProjection), { clock, size: DIRECTORY.size, ttlMs }),
    accounts: accountQueries(read(identityProjection)),
    groups: groupQueries(read(identityProjection)),
    audit: auditQueries(read(auditProjection)),
  };
}
type Reads = ReturnType<typeof readsOf>;

type Writing = {
  readonly stores: Stores;
  readonly config: Config;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: Log;
  readonly reads: Reads;
  readonly reached: Reached;
};

/** All that is written, by commands alone. */
function writesOf({ stores, config, clock, newId, log, reads: { accounts, signals }, reached }: Writing) {
  const handle = handler(stores.events, newId);
  const load = loader(stores.events);
  const { vault } = stores;
  const cell = config.CELL;
  const identified = (position: number) => reached(identityProjection, position);
  const uses = tokenUses({
    kv: stores.kv,
    clock,
    failed: err => log.warn({ err }, 'last uses of tokens not written'),
  });
  const groups = groupCommands({ handle, load, cell });
  const register = registering({ handle, load, vault, cell });
  const clear = clearing({
    handle,
    load,
    groups,
    belongings: accounts,
    vault,
    uses,
    reached: identified,
    scrub: stores.scrub,
  });
  const depart = departing({
    groups,
    belongings: accounts,
    async caughtUp() {
      if (!(await identified(await stores.events.head())))
        throw new StoreUnavailable(
          'the read models are too far behind to tell what somebody owns; try again',
        );
    },
  });
  const cleared: Parameters<typeof userCommands>[0]['cleared'] = async (uid, position, context) =>
    (await identified(position)) && (await clear(uid, context));
  return {
    handle,
    load,
    uses,
    groups,
    register,
    clear,
    identified,
    events: eventCommands(handle),
    signals: signalCommands(handle, signals.known),
    users: userCommands({ handle, load, register, depart, cleared }),
    ops: opsCommands(handle, opsAddresses(config)),
    tokens: apiTokenCommands({ handle, load, cell, daysFor: accounts.tokenDays }),
  };
}
type Writes = ReturnType<typeof writesOf>;

type Reacting = Omit<Writing, 'reads'> & {
  readonly scorer: Scorer;
  readonly kv: Stores['kv'] | null;
  readonly owner: string;
  readonly profileOf: Platform['profileOf'];
  readonly visible: Platform['visible'];
  readonly events: EventQueries;
  readonly writes: Writes;
};

/**
 * What follows from facts, and from time: each done by one process at a time, where several share the stores.
 */
function reactors(all: Reacting): Leader<Running>[] {
  const {
    scorer,
    stores,
    config,
    log,
    clock,
    newId,
    kv,
    owner,
    profileOf,
    visible,
    reached,
    events,
    writes,
  } = all;
  const { handle, load, clear, groups, identified } = writes;
  const means = { store: stores.events, models: stores.models, clock, log, means: { handle, load } };
  const scoringReached = (position: number) => reached(eventsProjection, position, SCORING_WAITS_MS);
  const alone = (name: string, start: () => Running) =>
    leader({ name, start, kv, holder: owner, clock, log });
  return [
    alone('reactor scoring', () =>
      react(
        scoring({
          scorer,
          profileOf,
          queries: events,
          reached: scoringReached,
          log,
          concurrency: 4 * threadsOf(config),
        }),
        means,
      ),
    ),
    alone('reactor erasure', () =>
      react(erasure({ clear, groups, retire: stores.vault.retire, reached: identified }), means),
    ),
    alone('scheduler due', () => dueScheduler({ queries: events, handle, clock, newId, visible, log })),
  ];
}

type Endpoints = {
  readonly config: Config;
  readonly clock: () => number;
  readonly reads: Reads;
  readonly writes: Writes;
  readonly compute: Compute<Tasks>;
  readonly visibleIn: VisibleIn;
};

/** The endpoints of all areas. */
function rowsOf({ config, clock, reads, writes, compute, visibleIn }: Endpoints): Row[] {
  const events = visibleIn(eventsProjection);
  const { market, catalogue: all, lists, courses } = reads;
  return [
    ...userRows({
      users: writes.users,
      tokens: writes.tokens,
      ops: writes.ops,
      queries: reads.accounts,
      uses: writes.uses,
      clock,
      visible: visibleIn(identityProjection),
      cell: config.CELL,
      cells: cellsOf(config),
    }),
    ...eventRows({ commands: writes.events, queries: reads.eventsSeen, clock, visible: events }),
    ...signalRows({
      commands: writes.signals,
      queries: reads.signals,
      clock,
      visible: visibleIn(signalsProjection),
      catalogue: all,
      lists,
      courses,
      market,
      streams: { commands: writes.events, queries: reads.events, visible: events },
      inUse: async () => [], // there are no goals and no segments yet
      analysis: {
        reads: { ...reads.signalsSeen, stream: reads.eventsSeen.stream, events: reads.eventsSeen.between },
        compute,
        answers: answers(ANSWERS),
      },
    }),
    ...groupKinds.flatMap(kind =>
      groupRows(kind, {
        commands: writes.groups,
        queries: reads.groups,
        audit: reads.audit,
        demands: reads.directory.demands,
        clock,
        visible: visibleIn(identityProjection, auditProjection),
      }),
    ),
  ];
}

const threadsOf = ({ SCORER_THREADS }: Config): number => SCORER_THREADS || allButOne();
const allButOne = (): number => Math.max(1, availableParallelism() - 1);

/** A workspace's own words, which weigh in the relevance of its events. */
const profilesFrom = (who: Directory) => async (workspace: string) => {
  const phrases = (await who.workspace(workspace))?.domainTerms ?? [];
  const version = createHash('sha256').update(JSON.stringify(phrases)).digest('hex').slice(0, 8);
  return { version, description: '', phrases: [...phrases] };
};

export const isEmpty = async ({ stores }: Platform): Promise<boolean> =>
  (await stores.events.head()) === START;
