import type { DeploymentCommands } from '../commands/deployments.js';
import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import type { ServingPool } from '../commands/serving-pool.js';
import type { Probing } from '../commands/probing.js';
import { callsSince, NO_CALLS, type Figures } from '../domain/deployments/figures.js';
import { nextStep, type Seen } from '../domain/deployments/keeping.js';
import type { HostedModel, HostedModels, ModelRef } from '../domain/models/hosted.js';
import { isMade } from '../domain/models/made.js';
import { SECOND } from '../domain/time.js';
import type { DeploymentDoc } from '../projections/deployments/documents.js';
import type { DeploymentQueries } from '../projections/deployments/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = {
  readonly queries: DeploymentQueries;
  readonly commands: Pick<DeploymentCommands, 'keep'>;
  readonly pool: ServingPool;
  readonly probes: Probing;
  readonly hosted: HostedModels;
  /** When a deployment was last asked, epoch ms; null: it never was. */
  readonly lastInference: (workspace: string, promotionId: string) => Promise<number | null>;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly visible: (position: number | null) => Promise<void>;
  readonly log: Log;
};

/** What those who serve tell of deployments, by promotion id. */
type Called = ReadonlyMap<string, Figures>;

const EVERY_MS = 500;
const PROBE_EVERY_MS = 10 * SECOND;
/** Of what was made or brought, of which there may be many; more often than a probe grows old. */
const PROBE_MADE_EVERY_MS = 40 * SECOND;
/** While a deployment of the model waits for it, and after one that failed. */
const PROBE_SOON_MS = SECOND;
/** A pass takes some milliseconds; a model that is loaded first takes its time. */
const PROBED_WITHIN_MS = 60 * SECOND;

/**
 * Lets deployments become what time and the way they do make of them, as `domain/deployments/keeping.ts`
 * says. It remembers nothing: what it goes by is in the log and with those who serve, so that another process
 * may go on at any point.
 */
export function keepingDeployments(deps: Deps): Running {
  const { queries, pool, probes, clock, log } = deps;

  const step = async (doc: DeploymentDoc, called: Called): Promise<void> => {
    if (await queries.rests(doc.workspace)) return;
    const seen = await seenOf(doc, called, pool, probes);
    const command = nextStep(keptOf(doc), seen, clock());
    if (!command || (command.type === 'PutToSleep' && (await isInUse(doc, seen)))) return;
    if (command.type === 'RetireDeployment') await pool.end(doc._id);
    const { position } = await deps.commands.keep(command, contextOf(doc, deps));
    await deps.visible(position);
    log.info({ step: command.type, ...command.data }, 'a deployment changed');
  };
  /** Those who serve know of the last hour, and of nothing before they began. */
  const isInUse = async (doc: DeploymentDoc, seen: Seen): Promise<boolean> => {
    const usedAt = await deps.lastInference(doc.workspace, doc._id);
    return nextStep(keptOf(doc), { ...seen, usedAt }, clock()) === null;
  };
  const tell = (doc: DeploymentDoc) => (err: unknown) =>
    log.error({ err, promotion: doc._id }, 'a deployment could not be looked after; tried again');

  const stepping = rounds(
    EVERY_MS,
    log,
    'deployments could not be looked after; tried again',
    async goesOn => {
      const moving = await all(queries.moving());
      const called = await pool.called();
      for (const doc of [...moving, ...(await suspects(deps, called))])
        if (goesOn()) await step(doc, called).catch(tell(doc));
    },
  );
  const trying = probingModels(deps);
  return { stop: async () => void (await Promise.all([stepping.stop(), trying.stop()])) };
}

/** Tries each model that is served with a forward pass through the live path, now and then. */
function probingModels({ queries, probes, hosted, log }: Deps): Running {
  const tried = new Map<string, number>();
  const probe = async (model: HostedModel, isWaitedFor: boolean): Promise<void> => {
    const name = nameOf(model);
    const hasFailed = (await probes.latest(model)).probes.at(-1)?.ok === false;
    const usualMs = isMade(model) ? PROBE_MADE_EVERY_MS : PROBE_EVERY_MS;
    const everyMs = isWaitedFor || hasFailed ? PROBE_SOON_MS : usualMs;
    if (performance.now() < (tried.get(name) ?? Number.NEGATIVE_INFINITY) + everyMs) return;
    tried.set(name, performance.now());
    if ((await queries.wanted(model)) === null) return;
    await probes.probe(model, PROBED_WITHIN_MS, true);
  };
  return rounds(EVERY_MS, log, 'models could not be tried; done again', async () => {
    const moving = await all(queries.moving());
    const waiting = new Set(moving.filter(({ status }) => status !== 'retiring').map(nameOf));
    const models = await hosted.all();
    await Promise.all(models.map(model => probe(model, waiting.has(nameOf(model)))));
  });
}

/**
 * Deployed ones that may have to change: with failed calls, of models that fail, and those that may sleep.
 */
async function suspects({ queries, probes, hosted }: Deps, called: Called): Promise<DeploymentDoc[]> {
  const failing = [...called]
    .filter(([, { recent }]) => recent.some(({ errors }) => errors > 0))
    .map(([id]) => id);
  const found = new Map(await queries.some(failing));
  for await (const page of queries.drowsy()) for (const doc of page) found.set(doc._id, doc);
  for (const model of await hosted.all()) {
    if ((await probes.latest(model)).probes.at(-1)?.ok !== false) continue;
    for await (const page of queries.deployedOf(model)) for (const doc of page) found.set(doc._id, doc);
  }
  return [...found.values()].filter(({ status }) => status === 'deployed');
}

async function seenOf(doc: DeploymentDoc, called: Called, pool: ServingPool, probes: Probing): Promise<Seen> {
  const figures = called.get(doc._id) ?? NO_CALLS;
  const { inFlight, usedAt } = figures;
  return {
    ready: pool.ready(doc),
    workers: pool.workers(),
    probes: (await probes.latest(doc)).probes,
    calls: callsSince(figures, doc.since),
    ...{ inFlight, usedAt },
  };
}

const keptOf = (doc: DeploymentDoc) => ({
  workspace: doc.workspace,
  promotionId: doc._id,
  status: doc.status,
  since: doc.since,
  replicas: { min: doc.replicas_min, max: doc.replicas_max },
  scaleToZeroAfterS: doc.scale_to_zero_after_s,
});

const contextOf = ({ workspace }: DeploymentDoc, { newId, clock }: Deps): Context => ({
  ...{ workspace, actor: 'scheduler:deployments', request: null, correlation: newId(), causation: null },
  at: clock(),
});

const nameOf = ({ family, slug }: ModelRef): string => `${family}/${slug}`;

async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}
