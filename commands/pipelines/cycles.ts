import { insufficientCredits } from '../../domain/billing/ledger.js';
import type { Millicredits } from '../../domain/billing/credits.js';
import type {
  CycleEntry,
  CycleResult,
  CycleStarted,
  CycleTrigger,
  Fault,
} from '../../domain/pipelines/facts.js';
import { pipelineNotFound } from '../../domain/pipelines/refusals.js';
import type { PipelineSettings, PoolEntry } from '../../domain/pipelines/settings.js';
import { priceOf, type LivePipeline } from '../../domain/pipelines/state.js';
import { Rejected } from '../../domain/rejected.js';
import type { TrainingFact } from '../../domain/trainings/facts.js';
import type { Credits } from '../billing/credits.js';
import type { Priced } from '../billing/max-credits.js';
import type { Context } from '../engine/handle.js';
import type { SegmentCommands } from '../segments.js';
import { priceOfTraining, type TrainingCommands } from '../trainings/records.js';
import type { ModelWanted, Resolved } from '../trainings/resolving.js';
import { candidateIdOf, cycleIdOf, seedOf, trainingIdOf, type PipelineCommands } from './records.js';

type Of = { readonly workspace: string; readonly pipelineId: string };
export type CycleDeps = {
  readonly commands: PipelineCommands;
  readonly trainings: Pick<TrainingCommands, 'queue' | 'read' | 'cancel'>;
  readonly segments: Pick<SegmentCommands, 'rebuild'>;
  readonly resolve: (workspace: string, wanted: ModelWanted) => Promise<Resolved>;
  readonly credits: Pick<Credits, 'priceOf'>;
  /** What the organization of a workspace has left. */
  readonly available: (workspace: string) => Promise<Millicredits>;
  /** Points of a segment's target and inputs that there are. */
  readonly rowsOf: (workspace: string, segmentId: string) => Promise<number>;
};
export type Cycles = ReturnType<typeof cyclesOf>;

/** What a cycle would be. `price`: at most. */
export type Planned = {
  readonly entries: readonly CycleEntry[];
  readonly price: Priced;
  readonly cycleId: string;
};

/** How cycles begin, what they ask for, and how they end. */
export function cyclesOf(deps: CycleDeps) {
  const { commands, trainings, segments, resolve, credits } = deps;

  async function entryOf(
    workspace: string,
    settings: PipelineSettings,
    entry: PoolEntry,
    trainingId: string,
  ): Promise<CycleEntry> {
    try {
      const model = await resolve(workspace, wantedOf(entry, settings.horizon));
      return { entry, trainingId, price: priceOfTraining(credits, model).amount, refused: null };
    } catch (error) {
      return { entry, trainingId, price: 0, refused: faultIn(error) };
    }
  }

  async function plan(
    { workspace, pipelineId }: Of,
    pipeline: Pick<LivePipeline, 'settings' | 'cycles'>,
  ): Promise<Planned> {
    const { settings, cycles } = pipeline;
    const cycleId = cycleIdOf(pipelineId, cycles + 1);
    const entries = await Promise.all(
      settings.entries.map((entry, i) => entryOf(workspace, settings, entry, trainingIdOf(cycleId, i))),
    );
    const { ratesVersion } = credits.priceOf('training.custom', 1);
    return { cycleId, entries, price: { amount: priceOf(entries), ratesVersion } };
  }

  /** What a pipeline that has gone had asked for is not done any more. */
  async function drop(workspace: string, trainingIds: readonly string[], context: Context): Promise<void> {
    for (const id of trainingIds) await rejection(() => trainings.cancel(workspace, id, context));
  }

  return {
    plan,

    /**
     * Begins the next cycle. `mind`: looks at its price first, for who asks by hand.
     * @throws Rejected 404, 402, 409
     */
    async begin(
      of: Of,
      trigger: CycleTrigger,
      context: Context,
      mind: (price: Priced) => void = () => undefined,
    ) {
      const pipeline = await commands.state(of);
      if (pipeline.status === 'none') throw pipelineNotFound();
      const { cycleId, entries, price } = await plan(of, pipeline);
      if (trigger === 'manual') {
        mind(price);
        const left = await deps.available(of.workspace);
        if (price.amount > left) throw insufficientCredits(price.amount, left);
      }
      const rowsSeen = await deps.rowsOf(of.workspace, pipeline.settings.segmentId);
      const number = pipeline.cycles + 1;
      const data = { ...of, cycleId, number, trigger, seed: seedOf(cycleId), entries, rowsSeen };
      const outcome = await commands.startCycle(data, context);
      return { cycleId, outcome, price };
    },

    /**
     * Has the segment built again, and all entries trained on it; whatever was asked for stays as it is. Of a
     * pipeline that goes meanwhile nothing stays: it may go between any two steps, and after a kill.
     */
    async ask({ workspace, pipelineId }: Of, started: CycleStarted['data'], context: Context): Promise<void> {
      const { cycleId, segmentId, metric, trigger, seed, against, owner, horizon } = started;
      const failed = (trainingId: string, error: Fault) =>
        commands.noteTrained(
          {
            ...{ workspace, pipelineId, cycleId },
            result: failure(trainingId, error),
            candidateId: candidateIdOf(cycleId),
          },
          context,
        );
      const goesOn = async (): Promise<boolean> => {
        const pipeline = await commands.state({ workspace, pipelineId });
        if (pipeline.status !== 'none') return pipeline.cycle?.cycleId === cycleId;
        await drop(workspace, askedIn(started), context);
        return false;
      };
      if (!(await goesOn())) return;
      const missing = await rejection(() => segments.rebuild(workspace, segmentId, context));
      for (const { entry, trainingId, refused } of started.entries) {
        if (refused) continue;
        const fault =
          missing
          ?? (await rejection(async () => {
            const model = await resolve(workspace, wantedOf(entry, horizon));
            const wanted = { trainingId, segmentId, model, seed, metric, trigger, pipelineId, cycleId };
            const rest = { retryOf: null, against, owner, unpaid: 'skip' } as const;
            await trainings.queue(workspace, { ...wanted, ...rest }, context);
          }));
        if (fault) await failed(trainingId, fault);
        if (!(await goesOn())) return;
      }
    },

    /** A training is over: its cycle hears of it where it is of one, of one tried once more its pipeline. */
    async ended(workspace: string, fact: Ended, context: Context): Promise<void> {
      const { trainingId } = fact.data;
      const { queued, completed } = await trainings.read(workspace, trainingId);
      const { pipelineId, cycleId, price } = queued;
      if (pipelineId === null) return;
      const charged = chargedBy(fact, price.amount);
      if (cycleId === null) {
        await commands.endRetry({ workspace, pipelineId, trainingId, charged }, context);
        return;
      }
      const isServable = completed !== null && (queued.what.kind === 'byom' || completed.servable !== null);
      const result: CycleResult = {
        ...{ trainingId, status: statusOf[fact.type], isServable },
        score: completed?.score ?? null,
        comparison: completed?.comparison ?? null,
        coverage: completed?.metrics.coverage_80 ?? null,
        charged,
        error: errorIn(fact),
      };
      const candidateId = candidateIdOf(cycleId);
      await commands.noteTrained({ workspace, pipelineId, cycleId, result, candidateId }, context);
    },

    drop,
  };
}

const askedIn = ({ entries }: CycleStarted['data']): string[] =>
  entries.filter(({ refused }) => refused === null).map(({ trainingId }) => trainingId);

export const wantedOf = (
  { ref, intensity, lookback }: Pick<PoolEntry, 'ref' | 'intensity' | 'lookback'>,
  horizon: number | null,
): ModelWanted => ({ ...ref, intensity, lookback, horizon });

export type Ended = Extract<
  TrainingFact,
  { type: 'TrainingCompleted' | 'TrainingFailed' | 'TrainingSkipped' | 'TrainingCancelled' }
>;
const statusOf = {
  TrainingCompleted: 'completed',
  TrainingFailed: 'failed',
  TrainingSkipped: 'skipped',
  TrainingCancelled: 'cancelled',
} as const satisfies Record<Ended['type'], CycleResult['status']>;

function chargedBy(fact: Ended, price: Millicredits): Millicredits {
  if (fact.type === 'TrainingCompleted') return price;
  return fact.type === 'TrainingCancelled' ? (fact.data.used?.amount ?? 0) : 0;
}

function errorIn(fact: Ended): Fault | null {
  if (fact.type === 'TrainingCompleted') return null;
  if (fact.type === 'TrainingCancelled') return { code: 'cancelled', message: 'It was cancelled' };
  return { code: fact.data.code, message: fact.data.message };
}

const failure = (trainingId: string, error: Fault): CycleResult => ({
  ...{ trainingId, status: 'failed', score: null, isServable: false },
  ...{ comparison: null, coverage: null, charged: 0, error },
});

/** @throws what is no `Rejected` */
function faultIn(error: unknown): Fault {
  if (!(error instanceof Rejected)) throw error;
  return { code: error.code, message: error.message };
}

async function rejection(does: () => Promise<unknown>): Promise<Fault | null> {
  try {
    await does();
    return null;
  } catch (error) {
    return faultIn(error);
  }
}
