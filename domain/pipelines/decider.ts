import type { Decider } from '../decider.js';
import { mindVersion } from '../versions.js';
import { decided, kept, promotion } from './candidates.js';
import type { ChangePipeline, PipelineCommand } from './commands.js';
import { noteTrained, startCycle } from './cycles.js';
import type { PipelineFact } from './facts.js';
import { pipelineNotFound } from './refusals.js';
import { endRetry, startRetry } from './retries.js';
import { evolve, initialState, type LivePipeline, type PipelineState } from './state.js';

function decide(command: PipelineCommand, state: PipelineState): readonly PipelineFact[] {
  const { pipelineId } = command.data;
  if (command.type === 'CreatePipeline') {
    const { settings, owner, rowsSeen } = command.data;
    return state.status === 'none'
      ? [{ type: 'PipelineCreated', data: { pipelineId, settings, owner, rowsSeen } }]
      : [];
  }
  if (state.status === 'none') {
    if (FOLLOWS.has(command.type)) return [];
    throw pipelineNotFound();
  }
  switch (command.type) {
    case 'ChangePipeline':
      return changed(command, state);
    case 'PausePipeline':
      return state.paused ? [] : [{ type: 'PipelinePaused', data: { pipelineId } }];
    case 'ResumePipeline':
      return state.paused ? [{ type: 'PipelineResumed', data: { pipelineId } }] : [];
    case 'DeletePipeline': {
      checkSeen(command.data.seen, state);
      const { entries = [], results = [] } = state.cycle ?? {};
      const ended = new Set(results.map(({ trainingId }) => trainingId));
      const open = entries.filter(({ refused, trainingId }) => !refused && !ended.has(trainingId));
      const trainings = [...open, ...(state.retries ?? [])].map(({ trainingId }) => trainingId);
      return [{ type: 'PipelineDeleted', data: { pipelineId, trainings } }];
    }
    case 'StartCycle':
      return startCycle(command, state);
    case 'NoteTrained':
      return noteTrained(command, state);
    case 'StartRetry':
      return startRetry(command, state);
    case 'EndRetry':
      return endRetry(command, state);
    case 'DecidePromotion':
      return decided(command, state);
    case 'KeepCandidate':
      return kept(command, state);
    case 'NoteNewData': {
      const { since } = command.data;
      return state.newDataAt === null ? [{ type: 'NewDataSeen', data: { pipelineId, since } }] : [];
    }
    default:
      return promotion(command, state);
  }
}

/** What follows from facts and from time, and retries: of a pipeline that has gone nothing does. */
const FOLLOWS: ReadonlySet<string> = new Set<PipelineCommand['type']>([
  ...(['NoteTrained', 'KeepCandidate', 'NoteNewData', 'StartPromotion', 'StartRetry', 'EndRetry'] as const),
  ...(['ConfirmPromotion', 'FailPromotion', 'EndServing'] as const),
]);

function changed({ data }: ChangePipeline, state: LivePipeline): readonly PipelineFact[] {
  const { pipelineId, settings, seen, rowsSeen } = data;
  checkSeen(seen, state);
  const isSame = JSON.stringify(settings) === JSON.stringify(state.settings);
  if (isSame) return [];
  const isCounted = rowsSeen !== undefined && settings.segmentId !== state.settings.segmentId;
  return [{ type: 'PipelineChanged', data: { pipelineId, settings, ...(isCounted && { rowsSeen }) } }];
}

function checkSeen(seen: number | null, { version }: LivePipeline): void {
  mindVersion('The pipeline', seen, version);
}

/** Of the journal, within its category. */
export const pipelineJournalId = (workspace: string, pipelineId: string): string =>
  `${workspace}.${pipelineId}`;

/** Pools of models that are trained in cycles; the best of a cycle may take the place of what serves. */
export const pipelines: Decider<PipelineCommand, PipelineFact, PipelineState> = {
  category: 'pipeline',
  idOf: ({ data: { workspace, pipelineId } }) => pipelineJournalId(workspace, pipelineId),
  initialState,
  decide,
  evolve,
};
