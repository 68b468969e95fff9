import type { Promoting } from '../commands/pipelines/promoting.js';
import type {
  DeploymentDeployed,
  DeploymentFailed,
  DeploymentUnpromoted,
} from '../domain/deployments/facts.js';
import type { Fact } from '../domain/fact.js';
import type { CandidateApproved, PromotionStarted } from '../domain/pipelines/facts.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { Reactor } from './engine/reactor.js';

type Deps = {
  readonly promoting: Promoting;
  /** The pipeline that a deployment is of, as read models show it; null: of none. */
  readonly pipelineOf: (workspace: string, promotionId: string) => Promise<string | null>;
  /** Resolves true when the read models of deployments hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
};
type OfDeployment = DeploymentDeployed | DeploymentFailed | DeploymentUnpromoted;

/** An approved candidate is deployed, and serves once its deployment is ready: never before. */
export const promotion = ({ promoting, pipelineOf, caughtUp }: Deps): Reactor => {
  const ofPipeline = async ({ data, meta, position }: Fact<OfDeployment>) => {
    if (!(await caughtUp(position)))
      throw new ReadModelsBehind(`the read models do not hold ${position} yet`);
    const workspace = meta.workspace!;
    const pipelineId = await pipelineOf(workspace, data.promotionId);
    return pipelineId === null ? null : { workspace, pipelineId };
  };
  return {
    name: 'promotion',
    concurrency: 4,
    on: {
      CandidateApproved: ({ data, meta }: Fact<CandidateApproved>, context) =>
        promoting.start(
          { workspace: meta.workspace!, pipelineId: data.pipelineId },
          data.candidateId,
          context,
        ),
      PromotionStarted: ({ data, meta }: Fact<PromotionStarted>, context) =>
        promoting.request({ workspace: meta.workspace!, pipelineId: data.pipelineId }, data, context),
      async DeploymentDeployed(fact: Fact<DeploymentDeployed>, context) {
        const of = await ofPipeline(fact);
        if (of) await promoting.confirm(of, fact.data.promotionId, context);
      },
      async DeploymentFailed(fact: Fact<DeploymentFailed>, context) {
        const of = await ofPipeline(fact);
        if (of) await promoting.fail(of, fact.data.promotionId, fact.data, context);
      },
      async DeploymentUnpromoted(fact: Fact<DeploymentUnpromoted>, context) {
        const of = await ofPipeline(fact);
        const { promotionId, replacement } = fact.data;
        if (of) await promoting.leave(of, promotionId, replacement, context);
      },
    },
  };
};
