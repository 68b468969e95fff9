import type { Millicredits } from '../billing/credits.js';
import type { Message } from '../fact.js';
import type { CycleEntry, CycleResult, CycleTrigger, Fault } from './facts.js';
import type { PipelineSettings } from './settings.js';

type OfPipeline = { readonly workspace: string; readonly pipelineId: string };
/** `seen`: the version the change is meant for; null: whichever there is. */
type Edit = OfPipeline & { readonly seen: number | null };
/** `at`: now, epoch ms. */
type Timed = OfPipeline & { readonly at: number };

export type CreatePipeline = Message<
  'CreatePipeline',
  OfPipeline & { readonly settings: PipelineSettings; readonly owner: string; readonly rowsSeen: number }
>;
/** `rowsSeen`: as of a new one, where the segment becomes another. */
export type ChangePipeline = Message<
  'ChangePipeline',
  Edit & { readonly settings: PipelineSettings; readonly rowsSeen?: number }
>;
export type PausePipeline = Message<'PausePipeline', OfPipeline>;
export type ResumePipeline = Message<'ResumePipeline', OfPipeline>;
export type DeletePipeline = Message<'DeletePipeline', Edit>;

/**
 * `number`: which cycle it is to be, so that none is begun twice on an old view. Who asks by hand is told why
 * it cannot be; whatever is due by itself is left.
 */
export type StartCycle = Message<
  'StartCycle',
  Timed & {
    readonly cycleId: string;
    readonly number: number;
    readonly trigger: CycleTrigger;
    readonly seed: number;
    readonly entries: readonly CycleEntry[];
    readonly rowsSeen: number;
  }
>;
/** `candidateId`: of the candidate, where the cycle ends with one. */
export type NoteTrained = Message<
  'NoteTrained',
  Timed & { readonly cycleId: string; readonly result: CycleResult; readonly candidateId: string }
>;
/** A training is to be tried once more: refused where it would go past the cap. */
export type StartRetry = Message<
  'StartRetry',
  Timed & { readonly trainingId: string; readonly price: Millicredits }
>;
export type EndRetry = Message<
  'EndRetry',
  OfPipeline & { readonly trainingId: string; readonly charged: Millicredits }
>;

export const DECISIONS = ['approve', 'reject', 'defer'] as const;
export type Decision = (typeof DECISIONS)[number];
/** `candidateId`: which candidate is meant, null: the pending one; `until`: epoch ms, of `defer`. */
export type DecidePromotion = Message<
  'DecidePromotion',
  Timed & {
    readonly decision: Decision;
    readonly candidateId: string | null;
    readonly demotePrevious: boolean | null;
    /** Of `approve`: a licence that forbids commercial use is accepted. */
    readonly acceptNonCommercial?: boolean;
    readonly reason: string | null;
    readonly until: number | null;
    readonly seen: number | null;
    readonly by: string;
  }
>;
/** What time makes of a candidate. */
export type KeepCandidate = Message<'KeepCandidate', Timed>;

type OfPromotion = OfPipeline & { readonly promotionId: string };
export type StartPromotion = Message<'StartPromotion', OfPromotion & { readonly candidateId: string }>;
export type ConfirmPromotion = Message<'ConfirmPromotion', OfPromotion>;
/** `promotionId`: null where it came to no deployment. */
export type FailPromotion = Message<
  'FailPromotion',
  Timed & Fault & { readonly candidateId: string; readonly promotionId: string | null }
>;
export type EndServing = Message<'EndServing', OfPromotion>;
export type NoteNewData = Message<'NoteNewData', OfPipeline & { readonly since: number }>;

export type PipelineCommand =
  | CreatePipeline
  | ChangePipeline
  | PausePipeline
  | ResumePipeline
  | DeletePipeline
  | StartCycle
  | NoteTrained
  | StartRetry
  | EndRetry
  | DecidePromotion
  | KeepCandidate
  | StartPromotion
  | ConfirmPromotion
  | FailPromotion
  | EndServing
  | NoteNewData;
