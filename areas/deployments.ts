import type { Dependants, LastInference } from '../api/deployments/deps.js';
import { deploymentRows } from '../api/deployments/rows.js';
import { deploymentCommands } from '../commands/deployments.js';
import { inPlaceOf } from '../commands/in-place.js';
import { serving } from '../commands/serving.js';
import { deploymentFrames } from '../domain/deployments/frames.js';
import type { InPlace } from '../domain/deployments/served.js';
import type { MadeModels } from '../domain/models/made.js';
import { deploymentsProjection } from '../projections/deployments/projection.js';
import { deploymentQueries } from '../projections/deployments/queries.js';
import { demoting } from '../workers/demoting.js';
import { keepingDeployments } from '../workers/deployments.js';
import { warming } from '../workers/warming.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import type { ModelsArea } from './models.js';
import { deploymentNotices } from './notices.js';
import { withMade } from './made-in-service.js';
import type { OpenServing } from './serving-pool.js';

type On = {
  readonly identity: IdentityArea;
  readonly billing: BillingArea;
  readonly models: ModelsArea;
  /** Asked of what makes models. */
  readonly made: MadeModels;
  /** Null where serving is switched off. */
  readonly open: OpenServing;
  /** Asked of inference, which is built on deployments. */
  readonly lastInference: LastInference;
  /** Asked of goals, which are built on deployments. */
  readonly dependants: Dependants;
};

/** A goal depends on what serves in the place of the deployment that its champion names. */
const dependantsOn =
  (dependants: Dependants, inPlace: InPlace): Dependants =>
  async workspace => {
    const found = new Map<string, string[]>();
    for (const [promotionId, goals] of await dependants(workspace)) {
      const serves = await inPlace(workspace, promotionId);
      found.set(serves, [...new Set([...(found.get(serves) ?? []), ...goals])]);
    }
    return found;
  };

/** Models in service. */
export const deploymentsArea = (
  kernel: Kernel,
  { identity, billing, models, made, open, dependants, lastInference }: On,
) => {
  const { config, handle, clock, newId, log, read, visibleIn } = kernel;
  const { pool = null, probes = null, local = null } = open ?? {};
  const visible = visibleIn(deploymentsProjection);
  const queries = deploymentQueries(read(deploymentsProjection));
  const commands = deploymentCommands(handle);
  const inPlace = inPlaceOf(queries.deployment);
  const hosted = withMade(models.hosted, made, queries, clock);
  const live = serving({
    ...{ pool, probes, hosted, commands, visible, clock, newId },
    find: queries.deployment,
    rests: queries.rests,
  });
  return area({
    name: 'deployments',
    ...{ queries, commands },
    /** What inference asks. */
    served: live.served,
    /** Whatever became of them: for making old answers again. */
    inAnyState: live.inAnyState,
    /** What serves in the place of those that are retired. */
    inPlace,
    /** Foundation models as they are. */
    zeroShot: live.zeroShot,
    hosted,
    rows: deploymentRows({
      ...{
        commands,
        queries,
        hosted,
        made,
        serving: live,
        probes,
        dependants: dependantsOn(dependants, inPlace),
        lastInference,
        clock,
        visible,
      },
      credits: billing.credits,
      tried: deploymentCommands(kernel.tryOut),
      tokenOwners: identity.tokenOwners,
      cell: config.CELL,
    }),
    notices: deploymentNotices,
    reactors: [demoting(commands)],
    frames: { of: deploymentFrames(queries.change, () => pool?.workers() ?? 0), shown: visible },
    ...(pool
      && probes && {
        schedulers: {
          deployments: () =>
            keepingDeployments({
              lastInference,
              queries,
              commands,
              pool,
              probes,
              hosted,
              clock,
              newId,
              visible,
              log,
            }),
        },
      }),
    ...(local && { serving: () => warming({ queries, hosted, warm: local.warm, log }) }),
  });
};

export type DeploymentsArea = ReturnType<typeof deploymentsArea>;
