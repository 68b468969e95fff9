import type { Credits } from '../../commands/billing/credits.js';
import type { Priced } from '../../commands/billing/max-credits.js';
import type { DeploymentCommands } from '../../commands/deployments.js';
import type { Probing } from '../../commands/probing.js';
import type { Serving } from '../../commands/serving.js';
import { FREE_REPLICAS } from '../../domain/billing/estimates.js';
import type { MadeModels } from '../../domain/models/made.js';
import type { HostedModels } from '../../domain/models/hosted.js';
import type { DeploymentQueries } from '../../projections/deployments/queries.js';

/** Ids of goals in use by the deployments that serve them: asked of goals, which are built on these. */
export type Dependants = (workspace: string) => Promise<ReadonlyMap<string, readonly string[]>>;

/** When a deployment was last asked, epoch ms; null: it never was. */
export type LastInference = (workspace: string, promotionId: string) => Promise<number | null>;

export type DeploymentDeps = {
  readonly commands: DeploymentCommands;
  /** The same, and nothing is written. */
  readonly tried: Pick<DeploymentCommands, 'request' | 'scale' | 'unpromote'>;
  readonly queries: DeploymentQueries;
  /** Foundation models, and by reference also what was made or brought. */
  readonly hosted: HostedModels;
  readonly made: MadeModels;
  readonly serving: Serving;
  /** Null where serving is switched off. */
  readonly probes: Probing | null;
  readonly dependants: Dependants;
  readonly lastInference: LastInference;
  readonly credits: Pick<Credits, 'priceOf'>;
  /** Uids by the ids of tokens. */
  readonly tokenOwners: (tokenIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly cell: string;
  readonly clock: () => number;
  /**
   * Waits, a bounded time, until the read models of deployments hold the fact at a position; null: nothing
   * was written.
   */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Deployments';
export const readAccess = { kind: 'workspace', scope: 'deployments.read' } as const;
export const writeAccess = { kind: 'workspace', scope: 'deployments.write' } as const;

/** What so many replicas that are kept ready cost in an hour: each is paid by itself. */
export function hourOf({ credits }: Pick<DeploymentDeps, 'credits'>, replicas: number): Priced {
  const { amount, ratesVersion } = credits.priceOf('deployment.replica_hour', 1);
  return { amount: amount * Math.max(0, replicas - FREE_REPLICAS), ratesVersion };
}
