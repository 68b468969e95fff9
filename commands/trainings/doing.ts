import { setTimeout as pause } from 'node:timers/promises';
import { Cancelled } from '../../domain/maths/compute.js';
import { FIRST_PARTY, type HostedModel } from '../../domain/models/hosted.js';
import { Rejected } from '../../domain/rejected.js';
import type { KeptRecipe, KeptTable } from '../../domain/segments/facts.js';
import type { TrainingQueued } from '../../domain/trainings/facts.js';
import type { TrainingWhat, TrainingWork } from '../../domain/trainings/ports.js';
import type { Context } from '../engine/handle.js';
import type { ModelFiles } from '../model-files.js';
import { ContentLost } from '../ports/contents.js';
import type { Log } from '../ports/log.js';
import type { Tables } from '../segments/tables.js';
import type { TrainingCommands } from './records.js';
import { Reporter } from './reporter.js';
import { readTable, type TableRead } from './table.js';
import { WorkerLost, type KeepMade, type TrainApart } from './work.js';

/** A segment as a training finds it. `built`: the last table, and the recipe that it was built of. */
export type SegmentFound = {
  readonly status: 'building' | 'ready' | 'stale' | 'failed';
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly built: {
    readonly version: number;
    readonly recipe: KeptRecipe;
    readonly table: KeptTable;
  } | null;
};

export type DoingDeps = {
  readonly commands: Pick<TrainingCommands, 'claim' | 'prepare' | 'progress' | 'complete' | 'fail' | 'lose'>;
  /** Null: it is gone. */
  readonly segment: (workspace: string, segmentId: string) => Promise<SegmentFound | null>;
  readonly tables: Tables;
  readonly train: TrainApart;
  readonly keep: KeepMade;
  readonly modelFiles: Pick<ModelFiles, 'place'>;
  /** A foundation model, or an uploaded one, as it is served now; null: it is gone. */
  readonly hosted: (ref: { readonly family: string; readonly slug: string }) => Promise<HostedModel | null>;
  /** What a deployment serves; null: it is gone. */
  readonly deployed: (workspace: string, promotionId: string) => Promise<HostedModel | null>;
  readonly clock: () => number;
  /** Names this process in logs. */
  readonly worker: string;
  readonly log: Log;
};

const BUILDING_MS = 500;
/** So often a table is looked for anew that another one took the place of while it was read. */
const TABLE_TRIES = 5;

/**
 * Does a training from its claim to its end, unless somebody else has it. Answers the position of its last
 * fact; null: nothing was written. `signal`: nobody wants it any more, or (with a reason that is text) this
 * process is to end.
 * @throws what keeps the stores from being written to; then it is lost, and begun again
 */
export async function doTraining(
  deps: DoingDeps,
  { workspace, trainingId }: { readonly workspace: string; readonly trainingId: string },
  context: Context,
  signal: AbortSignal,
): Promise<number | null> {
  const { commands, clock, worker } = deps;
  const now = (): Context => ({ ...context, at: clock() });
  const { training, isMine } = await commands.claim(workspace, trainingId, worker, now());
  if (!isMine) return null;
  const { attempt } = training;
  const of = { trainingId, attempt };
  const unwanted = new AbortController();
  const ending = AbortSignal.any([signal, unwanted.signal]);
  const reporter = new Reporter({
    clock,
    send: async (state, lines) =>
      (await commands.progress(workspace, { ...of, ...state, lines }, now())).isWanted,
    unwanted: () => unwanted.abort(),
    failed: err => deps.log.warn({ err, training: trainingId }, 'progress could not be told; tried again'),
  });
  try {
    const made = await trained(deps, workspace, training.queued, attempt, reporter, ending, now);
    if (!made) return null;
    const kept = await deps.keep(trainingId, made);
    const lines = await reporter.end();
    return (await commands.complete({ workspace, ...of, ...kept, lines }, now())).position;
  } catch (error) {
    const lines = await reporter.end();
    const given = { workspace, ...of };
    if (error instanceof Cancelled)
      return typeof signal.reason === 'string'
        ? (await commands.lose({ ...given, reason: signal.reason, isLoss: false, at: null }, now())).position
        : null;
    if (error instanceof WorkerLost) {
      // What the process said is for who runs it; facts are read by people, and stay
      deps.log.warn({ training: trainingId, said: error.cause }, error.message);
      return (await commands.lose({ ...given, reason: error.message, isLoss: true, at: null }, now()))
        .position;
    }
    return (await commands.fail({ ...given, ...reasonOf(deps, trainingId, error), lines }, now())).position;
  } finally {
    await reporter.end();
  }
}

async function trained(
  deps: DoingDeps,
  workspace: string,
  queued: TrainingQueued['data'],
  attempt: number,
  reporter: Reporter,
  signal: AbortSignal,
  now: () => Context,
) {
  const { commands, train } = deps;
  const { segmentId, trainingId } = queued;
  for (let tries = 1; ; tries++) {
    const { version, recipe, table } = await builtSegment(deps, workspace, segmentId, signal);
    const horizon = queued.horizon ?? recipe.split.horizon;
    try {
      const read: TableRead = await readTable(deps.tables, { segmentId, recipe, table, horizon });
      const work = await workOf(deps, workspace, queued, horizon);
      const warnings = [
        ...read.warnings,
        ...(queued.against !== null && !work.against ? ['against_gone'] : []),
      ];
      const prepared = {
        ...{ trainingId, attempt, segmentVersion: version, horizon },
        tableHash: table.table_hash,
        dataCutoff: table.data_cutoff,
      };
      const { facts } = await commands.prepare(workspace, prepared, now());
      // Of the second try it is known already
      if (facts.length === 0 && tries === 1) return null;
      reporter.tell({ stage: 'running', progress: 0, message: null });
      return await train({ ...read, work, warnings, tell: told => reporter.tell(told), signal });
    } catch (error) {
      if (!(error instanceof ContentLost) || tries === TABLE_TRIES) throw error;
    }
  }
}

/** The table to train on: one that is being built is waited for. @throws Rejected, Cancelled */
async function builtSegment(
  { segment }: DoingDeps,
  workspace: string,
  segmentId: string,
  signal: AbortSignal,
): Promise<NonNullable<SegmentFound['built']>> {
  for (;;) {
    if (signal.aborted) throw new Cancelled();
    const found = await segment(workspace, segmentId);
    if (!found) throw new Rejected('unprocessable', 'segment_gone', `The segment ${segmentId} is gone`);
    const { status, error, built } = found;
    if (status === 'failed') throw segmentFailed(segmentId, error);
    if (status !== 'building' && built) return built;
    await pause(BUILDING_MS);
  }
}

const segmentFailed = (segmentId: string, error: SegmentFound['error']): Rejected =>
  new Rejected(
    'unprocessable',
    error?.code ?? 'segment_failed',
    `The table of ${segmentId} could not be built: ${error?.message ?? 'no reason was given'}`,
  );

/** What is trained, with the models that it needs in place for the process that trains. */
async function workOf(
  deps: DoingDeps,
  workspace: string,
  { what, lookback, seed, metric, against: promotionId }: TrainingQueued['data'],
  horizon: number,
): Promise<TrainingWork> {
  const against = promotionId === null ? null : await servingOf(deps, workspace, promotionId);
  const trained = await whatOf(deps, what, horizon);
  if (trained.kind === 'foundation') await inPlace(deps, trained.backbone);
  if (trained.kind === 'byom') await inPlace(deps, trained.model);
  return { what: trained, horizon, lookback, seed, metric, against };
}

/** What a training is compared with, in place. Null: it is gone, or its file is, which fails no training. */
async function servingOf(
  deps: DoingDeps,
  workspace: string,
  promotionId: string,
): Promise<HostedModel | null> {
  const model = await deps.deployed(workspace, promotionId);
  try {
    if (model) await inPlace(deps, model);
    return model;
  } catch (err) {
    deps.log.warn({ err, promotion: promotionId }, 'the file of what serves is gone: nothing is compared');
    return null;
  }
}

/** Our own lie with the program. */
async function inPlace({ modelFiles }: DoingDeps, model: HostedModel): Promise<void> {
  if (model.family !== FIRST_PARTY) await modelFiles.place(model);
}

async function whatOf(
  { hosted }: DoingDeps,
  what: TrainingQueued['data']['what'],
  horizon: number,
): Promise<TrainingWhat> {
  if (what.kind === 'custom') return what;
  const ref = what.kind === 'byom' ? what.model : what.fineTune.model;
  const model = await hosted(ref);
  if (!model) {
    const message = `The model ${ref.family}/${ref.slug} is not available any more`;
    throw new Rejected('unprocessable', 'model_not_available', message);
  }
  if (what.kind === 'byom') return { kind: 'byom', model };
  const { fineTune } = what;
  return { kind: 'foundation', fineTune: { ...fineTune, horizon }, backbone: model };
}

function reasonOf({ log }: DoingDeps, trainingId: string, error: unknown) {
  if (error instanceof Rejected) {
    const { code, message, kind } = error;
    return { code, message, retryable: kind === 'unavailable' };
  }
  log.error({ err: error, training: trainingId }, 'a training failed');
  return { code: 'internal_error', message: 'Internal error', retryable: true };
}
