import type { GoalModel } from '../../domain/goals/model.js';
import type { SeriesForecasted } from '../../domain/inference/forecasting.js';
import { TookTooLong } from '../../domain/maths/compute.js';
import { Rejected } from '../../domain/rejected.js';
import { iso, SECOND } from '../../domain/time.js';
import { blendOf, membersOf } from '../../domain/tournaments/blends.js';
import type { Contestant } from '../../domain/tournaments/facts.js';
import type { Fold } from '../../domain/tournaments/folds.js';
import { DECILES } from '../../domain/tournaments/losses.js';
import { scoreOf } from '../../domain/tournaments/scoring.js';
import type { KnownTournament } from '../../domain/tournaments/state.js';
import type { Context } from '../engine/handle.js';
import type { Log } from '../ports/log.js';
import type { ForecastBy } from '../../domain/goals/ports.js';
import { inTime } from './in-time.js';
import type { OfTournament, TournamentCommands } from './records.js';

export type ContendingDeps = {
  readonly commands: Pick<TournamentCommands, 'beginContestant' | 'score' | 'failContestant'>;
  readonly forecastBy: ForecastBy;
  /** Up to when what a deployment serves was trained, epoch ms; null: on nothing of the workspace. */
  readonly seenUntil: (workspace: string, promotionId: string) => Promise<number | null>;
  readonly log: Log;
};

/** The newest steps that are known before the oldest fold, at most. */
export const HISTORY = 2_048;
/** A contestant that takes longer is disqualified. */
const WITHIN_MS = 300 * SECOND;

/** A tournament with its folds cut. */
export type Held = {
  readonly of: OfTournament;
  readonly tournament: KnownTournament;
  readonly folds: readonly Fold[];
  readonly period: number;
  readonly now: () => Context;
  readonly signal: AbortSignal;
};

/** One contestant forecasts all folds and is scored, or said to have failed. Cut short it waits again. */
export async function contend(deps: ContendingDeps, held: Held, contestant: Contestant): Promise<void> {
  const { of, now, signal } = held;
  const { commands, log } = deps;
  const { contestantId } = contestant;
  if (signal.aborted) return;
  const { after } = await commands.beginContestant(of, contestantId, now());
  if (after.status !== 'running') return;
  const ids = { tournamentId: of.tournamentId, contestantId };
  try {
    const told = await scored(deps, held, contestant);
    await commands.score(of.workspace, { ...ids, ...told }, now());
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Rejected)) log.error({ err: error, ...ids }, 'a contestant failed');
    await commands.failContestant(of.workspace, { ...ids, ...reasonOf(error) }, now());
  }
}

async function scored(deps: ContendingDeps, held: Held, contestant: Contestant) {
  const { tournament, folds, period } = held;
  const { workspace } = held.of;
  const { contest, seed } = tournament.started;
  const { model, byFold } = modelsOf(held, contestant);
  await mindLeaks(deps, workspace, model, folds[0]!.cutoff);
  const wanted = {
    horizon: contest.horizon,
    levels: [...new Set([...DECILES, ...contest.quantiles])].sort((a, b) => a - b),
    ...({ fill: 'linear', explain: false, lookback: HISTORY } as const),
  };
  const limit = new AbortController();
  const ending = AbortSignal.any([held.signal, limit.signal]);
  const begunAt = performance.now();
  const leftMs = (): number => WITHIN_MS - (performance.now() - begunAt);
  const by = (one: GoalModel, of: readonly Fold[]) => {
    const series = of.map(({ known }) => known);
    return deps.forecastBy(workspace, one, series, wanted, ending, leftMs);
  };
  const asked = byFold
    ? Promise.all(folds.map((fold, i) => by(byFold[i]!, [fold])))
    : Promise.all([by(model, folds)]);
  const forecasts: readonly SeriesForecasted[] = (await inTime(asked, WITHIN_MS, limit, tooSlow)).flat();
  const tookMs = performance.now() - begunAt;
  const score = scoreOf(forecasts, folds, { ...contest, period, seed });
  if (!score) throw new Disqualified('not_finite', 'Its forecasts, or what they lost, are not numbers');
  return {
    ...{ model, ...score },
    fitS: model.kind === 'local' ? tookMs / SECOND : 0,
    predictMs: tookMs / folds.length,
  };
}

/** What would forecast the goal; of a blend also what it is made of at each fold, by those before it. */
function modelsOf(
  { tournament, folds }: Held,
  { what }: Contestant,
): { readonly model: GoalModel; readonly byFold: readonly GoalModel[] | null } {
  if (what.kind === 'model') return { model: what.model, byFold: null };
  const members = membersOf(tournament.contestants);
  const after = (known: number): GoalModel => {
    const blend = blendOf(what.blend, members, known);
    if (blend) return blend;
    throw new Rejected('conflict', 'too_few_members', 'Fewer contestants than it takes have a score');
  };
  // The fold that weighs is judged by nobody
  return { model: after(folds.length), byFold: folds.map((_, i) => after(Math.max(1, i))) };
}

/** What was trained on the very values that it is judged by has seen them. @throws Disqualified */
async function mindLeaks(
  { seenUntil }: ContendingDeps,
  workspace: string,
  model: GoalModel,
  cutoff: number,
): Promise<void> {
  const members = model.kind === 'ensemble' ? model.members.map(member => member.model) : [model];
  for (const one of members) {
    if (one.kind !== 'served' || one.promotionId === null) continue;
    const until = await seenUntil(workspace, one.promotionId);
    if (until === null || until <= cutoff) continue;
    const seen = `was trained on data up to ${iso(until)}`;
    throw new Disqualified('leak', `What ${one.promotionId} serves ${seen}, after the first fold begins`);
  }
}

const tooSlow = (): Disqualified =>
  new Disqualified('timed_out', `It took longer than ${WITHIN_MS / SECOND} s`);

/** It may not be compared with the others. */
class Disqualified extends Rejected {
  constructor(code: string, message: string) {
    super('unprocessable', code, message);
  }
}

function reasonOf(error: unknown) {
  if (!(error instanceof Rejected))
    return { disqualified: false, code: 'internal_error', message: 'Internal error', isPassing: true };
  const reason = disqualifying(error) ?? error;
  const { code, message } = reason;
  return { disqualified: reason instanceof Disqualified, code, message, isPassing: !isUnfit(error) };
}

/** What is out of time, or no number, is for no comparison, whoever found it out; null: it is neither. */
function disqualifying(error: Rejected): Disqualified | null {
  if (error instanceof TookTooLong) return tooSlow();
  // Forecasters say so of numbers that grow out of all bounds
  return error.code === 'invalid_series' ? new Disqualified('not_finite', error.message) : null;
}

/** Refusals of models that cannot forecast the goal at any time. */
const UNFIT: readonly string[] = ['covariates_required', 'horizon_above_cap'];

/**
 * It cannot forecast the goal any more: its model is gone, its deployment is retired or failed, or it does
 * not fit. All else is about these folds or this moment: another time, or of the whole history, it may well
 * go.
 */
function isUnfit({ kind, code, details }: Rejected): boolean {
  if (kind === 'missing' || kind === 'gone' || UNFIT.includes(code)) return true;
  return code === 'deployment_not_ready' && details['status'] === 'failed';
}
