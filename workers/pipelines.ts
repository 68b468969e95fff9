import type { Context } from '../commands/engine/handle.js';
import type { Cycles } from '../commands/pipelines/cycles.js';
import type { PipelineCommands } from '../commands/pipelines/records.js';
import { monthOf } from '../domain/billing/account.js';
import type { CycleTrigger } from '../domain/pipelines/facts.js';
import { isTimed } from '../domain/schedules.js';
import { SECOND } from '../domain/time.js';
import { nextCycle } from '../projections/pipelines/changes.js';
import type { PipelineDoc } from '../projections/pipelines/documents.js';
import type { PipelineQueries } from '../projections/pipelines/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';
import { lostRetries, type LostRetriesDeps } from './lost-retries.js';
import { watchPipelines, type WatchingDeps } from './watching-pipelines.js';

type Deps = Omit<WatchingDeps, 'lookEveryMs'> & {
  readonly queries: Pick<PipelineQueries, 'due' | 'toKeep' | 'retryingSince'>;
  readonly commands: Pick<PipelineCommands, 'keep' | 'endRetry'>;
  readonly became: LostRetriesDeps['became'];
  readonly cycles: Pick<Cycles, 'begin'>;
  /** What an archived workspace has rests. */
  readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
  readonly newId: () => string;
};

const EVERY_MS = 250;
/** New points are looked for less often: they may be to many signals. */
const LOOKED_EVERY_MS = 2 * SECOND;
/** What could not begin, or begins later than was thought, is looked at again after a while. */
const REST_MS = 5 * SECOND;

/**
 * Begins the cycles whose time has come, lets candidates expire, and ends retries that came to nothing. It
 * remembers nothing that matters: what is due follows from documents, and the decider has the last word.
 */
export function pipelineScheduler(deps: Deps): Running {
  const { queries, commands, cycles, clock, newId, log } = deps;
  const resting = new Map<string, number>();
  const rests = ({ _id }: PipelineDoc): boolean => (resting.get(_id) ?? 0) > performance.now();
  const contextOf = ({ workspace }: PipelineDoc): Context => ({
    ...{ workspace, actor: 'scheduler:pipelines', request: null, correlation: newId(), causation: null },
    at: clock(),
  });
  const ofDoc = ({ workspace, pipeline_id: pipelineId }: PipelineDoc) => ({ workspace, pipelineId });

  const begin = async (doc: PipelineDoc, trigger: CycleTrigger): Promise<void> => {
    resting.set(doc._id, performance.now() + REST_MS);
    if (await deps.isArchived(doc.workspace)) return;
    const { outcome } = await cycles.begin(ofDoc(doc), trigger, contextOf(doc));
    await deps.visible(outcome.position);
    if (outcome.facts.length > 0) resting.delete(doc._id);
  };
  const dueNow = (doc: PipelineDoc): boolean => {
    const now = clock();
    const next = nextCycle(doc.state, doc.created_at, now);
    return next !== null && next <= now && doc.state.blocked !== monthOf(now);
  };
  const failed = (doc: PipelineDoc, err: unknown): void => {
    resting.set(doc._id, performance.now() + REST_MS);
    log.error({ err, pipeline: doc.pipeline_id }, 'a pipeline could not be looked after; tried again');
  };
  const each = async (
    pages: AsyncIterable<readonly PipelineDoc[]>,
    goesOn: () => boolean,
    does: (doc: PipelineDoc) => Promise<unknown>,
  ): Promise<void> => {
    for await (const page of pages)
      for (const doc of page) {
        if (!goesOn()) return;
        if (rests(doc)) continue;
        await does(doc).catch((err: unknown) => failed(doc, err));
      }
  };
  const scheduling = rounds(EVERY_MS, log, 'pipelines could not be looked for; tried again', async goesOn => {
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
    await each(queries.due(clock()), goesOn, async doc => {
      if (dueNow(doc)) await begin(doc, isTimedBy(doc) ? 'schedule' : 'created');
    });
    await each(queries.toKeep(clock()), goesOn, async doc => {
      const { position } = await commands.keep(ofDoc(doc), contextOf(doc));
      await deps.visible(position);
    });
  });
  const watching = watchPipelines(
    { ...deps, lookEveryMs: LOOKED_EVERY_MS },
    { begin: doc => begin(doc, 'on_new_data'), contextOf, rests, failed },
  );
  const settling = lostRetries({ ...deps, contextOf });
  const all = [scheduling, watching, settling];
  return { stop: async () => void (await Promise.all(all.map(each => each.stop()))) };
}

const isTimedBy = ({ state }: PipelineDoc): boolean =>
  state.settings.schedule !== null && isTimed(state.settings.schedule);
