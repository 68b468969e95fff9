import { createHash, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createCompute } from './adapters/compute/pool.js';
import { openStores, type Stores } from './adapters/open.js';
import { createScorer } from './adapters/scorer/scorer.js';
import { answers } from './api/answers.js';
import { eventRows } from './api/events/rows.js';
import { groupRows } from './api/groups/rows.js';
import type { Row } from './api/row.js';
import { signalRows } from './api/signals/rows.js';
import { userRows } from './api/users/rows.js';
import { apiTokenCommands, type ApiTokenCommands } from './commands/api-tokens.js';
import { clearing, departing } from './commands/erasure.js';
import { eventCommands } from './commands/events.js';
import { StoreUnavailable } from './commands/event-store.js';
import { groupCommands, type GroupCommands } from './commands/groups.js';
import { handler, loader, type Handle } from './commands/handle.js';
import { opsCommands } from './commands/ops.js';
import { signalCommands } from './commands/signals.js';
import { registering, type Register } from './commands/registration.js';
import { tokenUses, type TokenUses } from './commands/token-uses.js';
import { userCommands, type UserCommands } from './commands/users.js';
import { cellsOf, opsAddresses, type Config } from './config.js';
import { START, type Fact } from './domain/fact.js';
import { groupKinds } from './domain/groups/facts.js';
import type { Profile, Scorer } from './domain/scoring.js';
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
import { checkpointName, collectionsOf, type Projection } from './projections/projection.js';
import { reader } from './projections/reader.js';
import { signalCourses } from './projections/signals/courses.js';
import { signalLists } from './projections/signals/lists.js';
import { signalsProjection } from './projections/signals/projection.js';
import { signalQueries, type SignalQueries } from './projections/signals/queries.js';
import { dueScheduler } from './workers/due.js';
import { erasure } from './workers/erasure.js';
import type { Running } from './workers/follow.js';
import { leader, type Leader } from './workers/leader.js';
import type { Log } from './workers/log.js';
import { projector, type Projector } from './workers/projector.js';
import { react } from './workers/reactor.js';
import { scoring } from './workers/scoring.js';
import { serving, type Serving } from './workers/serving.js';

export const projections: readonly Projection[] = [
  identityProjection, auditProjection, eventsProjection, signalsProjection, marketplaceProjection,
];
export const roles = ['api', 'projections', 'workers'] as const;
export type PlatformRole = (typeof roles)[number];

/** Everything that runs, wired: the one place that knows all rooms. */
export type Platform = {
  readonly config: Config; readonly log: Log; readonly clock: () => number; readonly newId: () => string;
  readonly stores: Stores; readonly served: Serving; readonly handle: Handle;
  readonly directory: Directory; readonly events: EventQueries; readonly signals: SignalQueries; readonly market: MarketplaceQueries;
  readonly rows: readonly Row[];
  readonly users: UserCommands; readonly groups: GroupCommands; readonly tokens: ApiTokenCommands; readonly uses: TokenUses;
  readonly register: Register;
  /** Resolves when the read models of all projections hold the fact at a position, or when that takes longer than is allowed. */
  readonly visible: (position: number | null) => Promise<void>;
  /** Where the documents of a projection stand. */
  readonly positionOf: (p: Projection) => Promise<number>;
  /** The projector of this process, where it has that part and leads. */
  readonly projectorOf: (p: Projection) => Projector | null;
  /** A workspace's own words, and how many threads may score. */
  readonly profileOf: (workspace: string) => Promise<Profile>; readonly scorerThreads: number;
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
/** Answers of analyses that are kept while their data stay the same. */
const ANSWERS = { count: 1_000, bytes: 64 * 1024 * 1024 };
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
  const market = marketplaceQueries(read(marketplaceProjection)), eventsRead = eventReads(events, market);
  const lists = signalLists(read(signalsProjection));
  const compute = createCompute({
    workers: config.COMPUTE_WORKERS || allButOne(), memoryMb: config.COMPUTE_MEMORY_MB, withinMs: config.COMPUTE_WITHIN_MS,
  });
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
    return local ? local.reached(position, config.VISIBLE_WITHIN_MS) : polled(() => positionOf(p), position, config.VISIBLE_WITHIN_MS);
  };
  const visibleIn = (...those: readonly Projection[]) => async (position: number | null) => {
    if (position !== null) await Promise.all(those.map(p => reached(p, position)));
  };
  const visible = visibleIn(...projections);

  const accounts = accountQueries(read(identityProjection));
  const uses = tokenUses({ kv: stores.kv, clock, failed: err => log.warn({ err }, 'last uses of tokens not written') });
  const identified = (position: number) => reached(identityProjection, position);
  const groups = groupCommands({ handle, load, cell: config.CELL }), register = registering({ handle, load, vault: stores.vault, cell: config.CELL });
  const clear = clearing({ handle, load, groups, belongings: accounts, vault: stores.vault, uses, reached: identified, scrub: stores.scrub });
  const depart = departing({ groups, belongings: accounts, async caughtUp() {
    if (!await identified(await stores.events.head())) throw new StoreUnavailable('the read models are too far behind to tell what somebody owns; try again');
  } });
  const users = userCommands({
    handle, load, register, depart, cleared: async (uid, position, context) => await identified(position) && await clear(uid, context),
  });
  const tokens = apiTokenCommands({ handle, load, cell: config.CELL, daysFor: accounts.tokenDays });

  const profileOf = profilesFrom(who);
  let scorer: Scorer | null = null;
  const work: Leader<Running>[] = [];
  if (has('workers')) {
    const scores = scorer = await createScorer({ threads: threadsOf(config) });
    work.push(
      alone('reactor scoring', () => react(
        scoring({ scorer: scores, profileOf, log, concurrency: 4 * threadsOf(config) }),
        { ...base, means: { handle, load } },
      )),
      alone('reactor erasure', () => react(
        erasure({ clear, groups, retire: stores.vault.retire, reached: identified }), { ...base, means: { handle, load } },
      )),
      alone('scheduler due', () => dueScheduler({ queries: events, handle, clock, newId, visible, log })),
    );
  }
  const refresh = setInterval(() => { served.refresh().catch((err: unknown) => log.warn({ err }, 'serving generations not refreshed')); }, REFRESH_MS);
  refresh.unref();

  return {
    config, log, clock, newId, stores, served, handle, directory: who, events, signals, market, visible, positionOf, projectorOf, profileOf, users, register, groups, tokens, uses,
    rows: [
      ...userRows({
        users, tokens, ops: opsCommands(handle, opsAddresses(config)), queries: accounts, uses, clock,
        visible: visibleIn(identityProjection), cell: config.CELL, cells: cellsOf(config),
      }),
      ...eventRows({ commands: eventCommands(handle), queries: eventsRead, clock, visible: visibleIn(eventsProjection) }),
      ...signalRows({
        commands: signalCommands(handle, signals.known), queries: signals, clock, visible: visibleIn(signalsProjection),
        catalogue: catalogue(lists, events, market), lists, courses: signalCourses(read(signalsProjection)), market,
        streams: { commands: eventCommands(handle), queries: events, visible: visibleIn(eventsProjection) },
        inUse: async () => [], // there are no goals and no segments yet
        analysis: { reads: { ...signalReads(signals, market), stream: eventsRead.stream, events: eventsRead.between }, compute, answers: answers(ANSWERS) },
      }),
      ...groupKinds.flatMap(kind => groupRows(kind, {
        commands: groups, queries: groupQueries(read(identityProjection)), audit: auditQueries(read(auditProjection)), demands: who.demands,
        clock, visible: visibleIn(identityProjection, auditProjection),
      })),
    ],
    scorerThreads: threadsOf(config), backlog: async () => (await events.totals()).pending,
    async stop() {
      clearInterval(refresh);
      await Promise.all(work.map(({ stop }) => stop()));
      await Promise.all(projectors.map(({ stop }) => stop()));
      await scorer?.close();
      await compute.close();
      await uses.stop();
      await stores.close();
    },
  };
}

/** What an identity fact changes is forgotten at once by the process that projects it. */
const forgetOf = (p: Projection, who: Directory) => (page: readonly Fact[]) => {
  if (p === identityProjection) who.forget(page);
};

const threadsOf = ({ SCORER_THREADS }: Config): number => SCORER_THREADS || allButOne();
const allButOne = (): number => Math.max(1, availableParallelism() - 1);

/** A workspace's own words, which weigh in the relevance of its events. */
const profilesFrom = (who: Directory) => async (workspace: string) => {
  const phrases = (await who.workspace(workspace))?.domainTerms ?? [];
  const version = createHash('sha256').update(JSON.stringify(phrases)).digest('hex').slice(0, 8);
  return { version, description: '', phrases: [...phrases] };
};

const POLL_MS = 10;

/** Asks until a position is reached, at most for `ms` whatever the platform's clock does: for processes that do not project themselves. */
async function polled(positionOf: () => Promise<number>, wanted: number, ms: number): Promise<boolean> {
  for (const until = performance.now() + ms; ;) {
    if (await positionOf() >= wanted) return true;
    if (performance.now() >= until) return false;
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
