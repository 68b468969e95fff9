import { hash } from 'node:crypto';
import type {
  ChangePipeline,
  CreatePipeline,
  DecidePromotion,
  EndRetry,
  FailPromotion,
  NoteTrained,
  PipelineCommand,
  StartCycle,
  StartRetry,
} from '../../domain/pipelines/commands.js';
import { pipelineJournalId, pipelines } from '../../domain/pipelines/decider.js';
import type { Context, Handle, Load } from '../engine/handle.js';
import { newId } from '../engine/ids.js';

type Data<C extends { readonly data: object }> = Omit<C['data'], 'at'>;
/** Of the part of an id that follows from what it is of. */
const ID_LENGTH = 16;
const derived = (prefix: string, text: string): string => prefix + hash('sha256', text).slice(0, ID_LENGTH);

/** Ids that follow from what they are of: what is done again after a kill makes nothing twice. */
export const cycleIdOf = (pipelineId: string, number: number): string =>
  derived('cyc_', `${pipelineId}/${number}`);
export const trainingIdOf = (cycleId: string, entry: number): string =>
  derived('trn_', `${cycleId}/${entry}`);
export const candidateIdOf = (cycleId: string): string => derived('cnd_', cycleId);
/** A number from 0 to 2^32 - 1. */
export const seedOf = (cycleId: string): number => Number.parseInt(hash('sha256', cycleId).slice(0, 8), 16);

type Of = { readonly workspace: string; readonly pipelineId: string };
export type PipelineCommands = ReturnType<typeof pipelineCommands>;

/** What is written of pipelines. */
export function pipelineCommands({ handle, load }: { readonly handle: Handle; readonly load: Load }) {
  const give = (command: PipelineCommand, context: Context) =>
    handle(pipelines, command, { ...context, workspace: command.data.workspace });
  return {
    /** As its facts tell it now. */
    state: ({ workspace, pipelineId }: Of) => load(pipelines, pipelineJournalId(workspace, pipelineId)),
    /** `rowsSeen`: points of its segment's target and inputs that there are. */
    async create(workspace: string, made: Omit<CreatePipeline['data'], keyof Of>, context: Context) {
      const pipelineId = newId('pip_');
      const data = { workspace, pipelineId, ...made };
      return { pipelineId, outcome: await give({ type: 'CreatePipeline', data }, context) };
    },
    /** `seen`: the version it is meant for; null: whichever. @throws Rejected 404, 409 */
    change: (of: Of, wanted: Omit<ChangePipeline['data'], keyof Of>, context: Context) =>
      give({ type: 'ChangePipeline', data: { ...of, ...wanted } }, context),
    pause: (data: Of, context: Context) => give({ type: 'PausePipeline', data }, context),
    resume: (data: Of, context: Context) => give({ type: 'ResumePipeline', data }, context),
    remove: (of: Of, seen: number | null, context: Context) =>
      give({ type: 'DeletePipeline', data: { ...of, seen } }, context),
    /** @throws Rejected 404, and 409 to who asks by hand */
    startCycle: (data: Data<StartCycle>, context: Context) =>
      give({ type: 'StartCycle', data: { ...data, at: context.at } }, context),
    noteTrained: (data: Data<NoteTrained>, context: Context) =>
      give({ type: 'NoteTrained', data: { ...data, at: context.at } }, context),
    /** Counts a training that is tried once more. @throws Rejected 409 where it would go past the cap */
    startRetry: (data: Data<StartRetry>, context: Context) =>
      give({ type: 'StartRetry', data: { ...data, at: context.at } }, context),
    endRetry: (data: EndRetry['data'], context: Context) => give({ type: 'EndRetry', data }, context),
    /** @throws Rejected 404, 409 */
    decide: (data: Data<DecidePromotion>, context: Context) =>
      give({ type: 'DecidePromotion', data: { ...data, at: context.at } }, context),
    keep: (of: Of, context: Context) =>
      give({ type: 'KeepCandidate', data: { ...of, at: context.at } }, context),
    startPromotion: (of: Of, candidateId: string, promotionId: string, context: Context) =>
      give({ type: 'StartPromotion', data: { ...of, candidateId, promotionId } }, context),
    confirmPromotion: (of: Of, promotionId: string, context: Context) =>
      give({ type: 'ConfirmPromotion', data: { ...of, promotionId } }, context),
    failPromotion: (data: Data<FailPromotion>, context: Context) =>
      give({ type: 'FailPromotion', data: { ...data, at: context.at } }, context),
    endServing: (of: Of, promotionId: string, context: Context) =>
      give({ type: 'EndServing', data: { ...of, promotionId } }, context),
    noteNewData: (of: Of, since: number, context: Context) =>
      give({ type: 'NoteNewData', data: { ...of, since } }, context),
  };
}
