import { deploymentId, deployments } from '../../domain/deployments/decider.js';
import type { MadeModel, MadeModels } from '../../domain/models/made.js';
import type { PromotionStarted } from '../../domain/pipelines/facts.js';
import type { Candidate, LivePipeline } from '../../domain/pipelines/state.js';
import { Rejected } from '../../domain/rejected.js';
import { promotionOnce, type DeploymentCommands } from '../deployments.js';
import type { Context, Load } from '../engine/handle.js';
import type { TrainingCommands } from '../trainings/records.js';
import type { PipelineCommands } from './records.js';

type Of = { readonly workspace: string; readonly pipelineId: string };
export type PromotingDeps = {
  readonly commands: PipelineCommands;
  readonly deployments: Pick<DeploymentCommands, 'request' | 'unpromote'>;
  readonly trainings: Pick<TrainingCommands, 'read'>;
  readonly made: Pick<MadeModels, 'training' | 'adapter' | 'byom'>;
  readonly load: Load;
  /** Whether models are served here at all. */
  readonly isServing: boolean;
};
export type Promoting = ReturnType<typeof promotingOf>;

/** A retired deployment, in the words of who reads why a promotion failed. */
const RETIRED = { code: 'deployment_retired', message: 'Its deployment was taken out of service' };

/** How an approved candidate comes to serve. */
export function promotingOf(deps: PromotingDeps) {
  const { commands, trainings, made, load } = deps;

  async function modelOf(workspace: string, { trainingId }: Candidate): Promise<MadeModel> {
    const { what } = (await trainings.read(workspace, trainingId)).queued;
    if (what.kind === 'foundation') return made.adapter(workspace, null, what.adapterId);
    return what.kind === 'byom'
      ? made.byom(workspace, what.model.slug)
      : made.training(workspace, trainingId);
  }

  async function failing(
    of: Of,
    { candidateId, promotionId }: Pick<Candidate, 'candidateId' | 'promotionId'>,
    context: Context,
    does: () => Promise<unknown>,
  ): Promise<void> {
    try {
      await does();
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      const { code, message } = error;
      await commands.failPromotion({ ...of, candidateId, promotionId, code, message }, context);
    }
  }

  async function candidateIn(of: Of, candidateId: string) {
    const pipeline = await commands.state(of);
    if (pipeline.status === 'none' || pipeline.candidate?.candidateId !== candidateId) return null;
    return { pipeline, candidate: pipeline.candidate };
  }

  return {
    /** It is approved: says under which id it is going to be deployed. */
    async start(of: Of, candidateId: string, context: Context): Promise<void> {
      const found = await candidateIn(of, candidateId);
      if (found?.candidate.status !== 'approved') return;
      const { candidate } = found;
      await failing(of, { candidateId, promotionId: null }, context, async () => {
        if (!deps.isServing) throw unavailable();
        const promotionId = promotionOnce(await modelOf(of.workspace, candidate), onceOf(candidate));
        await commands.startPromotion(of, candidateId, promotionId, context);
      });
    },

    /** Asks for its deployment, once. */
    async request(of: Of, { candidateId, promotionId, demotes }: Started, context: Context): Promise<void> {
      const found = await candidateIn(of, candidateId);
      if (found?.candidate.promotionId !== promotionId || found.candidate.status !== 'promoting') return;
      const { candidate, pipeline } = found;
      const { current, earlier } = await load(deployments, deploymentId(of.workspace, promotionId));
      if (current?.promotionId === promotionId || earlier.has(promotionId)) return;
      await failing(of, { candidateId, promotionId }, context, async () => {
        const model = await modelOf(of.workspace, candidate);
        const wishes = wishesFor(of, pipeline, model, demotes);
        // What had been tried before counts as one less than now
        const once = onceOf({ ...candidate, attempts: candidate.attempts - 1 });
        await deps.deployments.request(of.workspace, model, wishes, context, once);
      });
    },

    confirm: commands.confirmPromotion,

    /** Its deployment failed, and goes; what serves goes on. */
    async fail(
      of: Of,
      promotionId: string,
      { code, message }: { readonly code: string; readonly message: string },
      context: Context,
    ): Promise<void> {
      const pipeline = await commands.state(of);
      if (pipeline.status === 'none' || pipeline.candidate?.promotionId !== promotionId) return;
      const { candidateId } = pipeline.candidate;
      const data = { ...of, candidateId, promotionId, code, message };
      await commands.failPromotion(data, context);
      // Also where that was said before a kill: one that is retried must not demote what serves
      const left = { reason: 'its promotion failed', replacement: null };
      await deps.deployments.unpromote(of.workspace, promotionId, left, context);
    },

    /** A deployment goes out of service; `replacement`: in whose favour. */
    async leave(of: Of, promotionId: string, replacement: string | null, context: Context): Promise<void> {
      // What takes its place serves already, whichever of the two facts is told first
      if (replacement !== null) await commands.confirmPromotion(of, replacement, context);
      const pipeline = await commands.state(of);
      if (pipeline.status === 'none') return;
      const { candidate } = pipeline;
      if (candidate?.promotionId === promotionId) {
        const { candidateId } = candidate;
        await commands.failPromotion({ ...of, candidateId, promotionId, ...RETIRED }, context);
      }
      await commands.endServing(of, promotionId, context);
    },
  };
}

type Started = PromotionStarted['data'];

/** Each attempt is a deployment of its own. */
const onceOf = ({ candidateId, attempts }: Pick<Candidate, 'candidateId' | 'attempts'>): string =>
  `${candidateId}/${attempts}`;

const wishesFor = (
  { pipelineId }: Of,
  { settings, candidate }: LivePipeline,
  { maxHorizon, blueprintUid }: MadeModel,
  demotes: string | null,
) => ({
  name: settings.name,
  horizon: Math.min(settings.horizon ?? maxHorizon, maxHorizon),
  reason: `candidate ${candidate!.candidateId} of pipeline ${pipelineId}`,
  replicas: null,
  acceptNonCommercial: settings.acceptNonCommercial ?? candidate!.acceptNonCommercial ?? false,
  demotes,
  origin: { pipelineId, trainingId: candidate!.trainingId, blueprintUid },
});

const unavailable = (): Rejected =>
  new Rejected('unavailable', 'SERVING_UNAVAILABLE', 'Models are not served here');
