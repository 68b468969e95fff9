import type { LedgerCommands } from '../commands/billing.js';
import type { DeploymentCommands } from '../commands/deployments.js';
import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import type { ServingPool } from '../commands/serving-pool.js';
import { FREE_REPLICAS } from '../domain/billing/estimates.js';
import { priceOf, type Rates } from '../domain/billing/rates.js';
import { SERVED } from '../domain/deployments/state.js';
import { Rejected } from '../domain/rejected.js';
import { HOUR } from '../domain/time.js';
import type { DeploymentDoc } from '../projections/deployments/documents.js';
import type { DeploymentQueries } from '../projections/deployments/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = {
  readonly queries: Pick<DeploymentQueries, 'larger' | 'rests'>;
  readonly deployments: Pick<DeploymentCommands, 'keep'>;
  readonly ledger: Pick<LedgerCommands, 'chargeMetered'>;
  readonly organizationOf: (workspace: string) => Promise<string>;
  readonly pool: Pick<ServingPool, 'ready'>;
  readonly rates: Rates;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: Log;
};

const EVERY_MS = 2_000;

/**
 * Charges each hour (UTC, from its beginning on) that a replica beyond the free ones is ready in, once: the
 * ledger knows up to when each is paid. An hour in which nothing ran is not charged. Who cannot pay keeps the
 * replicas that are paid for, and the free ones always.
 */
export function replicaHours(deps: Deps): Running {
  const { queries, pool, rates, clock, log } = deps;
  const price = priceOf(rates, 'deployment.replica_hour', 1);
  /** What was charged by this process: the ledger need not be asked again. */
  const paid = new Map<string, number>();

  const look = async (doc: DeploymentDoc): Promise<void> => {
    if (!SERVED.includes(doc.status) || (await queries.rests(doc.workspace))) return;
    const ready = Math.min(doc.replicas_min, pool.ready(doc));
    const upTo = (Math.floor(clock() / HOUR) + 1) * HOUR;
    for (let replica = FREE_REPLICAS + 1; replica <= ready; replica++) {
      const meter = `${doc._id}/${replica}`;
      if ((paid.get(meter) ?? 0) >= upTo) continue;
      if (!(await pay(doc, { meter, upTo }))) return scaleBack(doc, replica - 1);
      paid.set(meter, upTo);
    }
  };

  /** False: there are no credits for it. */
  const pay = async (doc: DeploymentDoc, metered: { meter: string; upTo: number }): Promise<boolean> => {
    const reference = { type: 'deployment', id: doc._id };
    const work = { price, reference, pipelineId: null };
    const organization = await deps.organizationOf(doc.workspace);
    try {
      await deps.ledger.chargeMetered(organization, work, metered, contextOf(doc, deps));
      return true;
    } catch (error) {
      if (error instanceof Rejected && error.code === 'insufficient_credits') return false;
      throw error;
    }
  };

  const scaleBack = async (doc: DeploymentDoc, most: number): Promise<void> => {
    const { workspace, _id: promotionId } = doc;
    const message = `There are no credits for more than ${most} ready replicas`;
    const data = { workspace, promotionId, most, message };
    await deps.deployments.keep({ type: 'ScaleBack', data }, contextOf(doc, deps));
  };

  return rounds(EVERY_MS, log, 'hours of replicas were not charged; tried again', async goesOn => {
    if (price.amount === 0) return;
    for (const [meter, upTo] of paid) if (upTo <= clock() - HOUR) paid.delete(meter);
    for await (const page of queries.larger(FREE_REPLICAS))
      for (const doc of page) {
        if (!goesOn()) return;
        await look(doc).catch((err: unknown) =>
          log.error({ err, promotion: doc._id }, 'hours of a deployment were not charged; tried again'),
        );
      }
  });
}

const contextOf = ({ workspace }: DeploymentDoc, { newId, clock }: Deps): Context => ({
  ...{ workspace, actor: 'scheduler:replica-hours', request: null },
  ...{ correlation: newId(), causation: null, at: clock() },
});
