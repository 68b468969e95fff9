import { SERVED } from '../../domain/deployments/state.js';
import { LOCAL_METHODS, type SingleModel } from '../../domain/goals/model.js';
import type { Standing } from '../../domain/goals/ports.js';
import { isMade } from '../../domain/models/made.js';
import type { HostedModel, HostedModels } from '../../domain/models/hosted.js';
import type { KnownDeployment } from '../serving.js';

export type StandingDeps = {
  readonly hosted: Pick<HostedModels, 'all' | 'find'>;
  /** Deployments of a workspace that are not retired, newest first. */
  readonly deployments: (workspace: string) => Promise<readonly KnownDeployment[]>;
  /** Whether models are served here at all. */
  readonly isServing: boolean;
};

const named = {
  seasonal_naive: 'seasonal naive',
  naive: 'naive',
  drift: 'drift',
  theta: 'theta',
  ets: 'ets',
  arima: 'arima',
  mstl_ets: 'mstl with ets',
} as const satisfies Record<(typeof LOCAL_METHODS)[number], string>;

type Stands = { readonly model: SingleModel; readonly name: string };

/**
 * What can forecast in a workspace: its deployments that are served, foundation models as they are (those
 * that may be used for business and are not retired), and local methods. See `Standing`.
 */
export const standing =
  ({ hosted, deployments, isServing }: StandingDeps): Standing =>
  async workspace => {
    const local: Stands[] = LOCAL_METHODS.map(method => ({
      model: { kind: 'local', method },
      name: named[method],
    }));
    if (!isServing) return local;
    const deployed: Stands[] = [];
    for (const doc of await deployments(workspace)) {
      if (!SERVED.includes(doc.status)) continue;
      const model = await hosted.find(doc);
      if (model && model.lost === undefined && readsTargetAlone(model))
        deployed.push(servedAs(doc._id, model));
    }
    const foundation = (await hosted.all()).filter(
      model =>
        !isMade(model)
        && model.deprecatedAt === null
        && model.commercialUse
        && model.tasks.includes('forecast'),
    );
    return [...deployed, ...foundation.map(model => servedAs(null, model)), ...local];
  };

const readsTargetAlone = ({ trained }: HostedModel): boolean => (trained?.covariates ?? []).length === 0;

const servedAs = (promotionId: string | null, { family, slug, version, name }: HostedModel): Stands => ({
  model: { kind: 'served', promotionId, model: { family, slug, version } },
  name,
});
