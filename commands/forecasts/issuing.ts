import { isAbove } from '../../domain/billing/amounts.js';
import { monthOf } from '../../domain/billing/account.js';
import type { Price } from '../../domain/billing/credits.js';
import type { GoalForecastIssued } from '../../domain/forecasts/facts.js';
import type { HealthReason } from '../../domain/goals/facts.js';
import type { TargetOf } from '../../domain/goals/ports.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import type { Warning } from '../../domain/inference/forecasting.js';
import { Rejected } from '../../domain/rejected.js';
import type { Credits } from '../billing/credits.js';
import type { Context } from '../engine/handle.js';
import { MAX_APPEND_BYTES } from '../ports/event-store.js';
import type { GoalCommands } from '../goals/records.js';
import { putTogether, type Before, type PuttingTogether, type Ready, type Wanted } from './put-together.js';
import type { ForecastRecords } from './records.js';
import { isServed, serve, serveNaively, type Served, type ServingDeps } from './serving.js';
import { MOST_STEPS } from './wanted.js';

export type IssuingDeps = ServingDeps &
  PuttingTogether & {
    readonly goals: Pick<GoalCommands, 'state' | 'health'>;
    readonly targetOf: TargetOf;
    readonly records: Pick<ForecastRecords, 'issue' | 'state'>;
    /** By goal id, of those that were forecast before. */
    readonly before: (workspace: string, goalIds: readonly string[]) => Promise<ReadonlyMap<string, Before>>;
    readonly credits: Pick<Credits, 'paid' | 'priceOf'>;
  };

/** `issued`: it is there now, or was; `idle`: the goal is not forecast just now; `failed`: and why. */
export type Issued =
  | { readonly wanted: Wanted; readonly status: 'issued'; readonly position: number | null }
  | { readonly wanted: Wanted; readonly status: 'idle' }
  | { readonly wanted: Wanted; readonly status: 'failed'; readonly error: unknown };
export type Issuing = ReturnType<typeof issuing>;

/** How forecasts of goals come about: history, model, what moves it, calibration; paid for and kept. */
export function issuing(deps: IssuingDeps) {
  const { goals, targetOf, records, credits } = deps;

  const priceOf = ({ settings }: LiveGoal): Price =>
    credits.priceOf('inference.series_step', settings.horizon);

  const ready = async (workspace: string, wanted: Wanted): Promise<Ready | Issued> => {
    const { goalId, forecastId } = wanted;
    const goal = await goals.state({ workspace, goalId });
    if (goal.status !== 'active') return { wanted, status: 'idle' };
    const known = await records.state(workspace, forecastId);
    if (known.status !== 'none') return { wanted, status: 'issued', position: null };
    try {
      const asked = { asOf: null, most: MOST_STEPS };
      return { wanted, goalId, goal, history: await targetOf(workspace, goal.settings, asked) };
    } catch (error) {
      return { wanted, status: 'failed', error };
    }
  };

  const keep = async (
    workspace: string,
    one: Ready,
    served: Served,
    before: Before | undefined,
    price: Price | null,
    context: Context,
  ): Promise<number | null> => {
    const about = { workspace, before, at: context.at, price };
    const data = asFits(await putTogether(deps, about, one, served));
    mustFit(data);
    const issue = () => records.issue(workspace, data, context);
    if (!price) return (await issue()).position;
    const reference = { type: 'goal_forecast', id: data.forecastId };
    const work = { price, reference, pipelineId: null, goalId: data.goalId, context };
    return (await credits.paid(workspace, work, async () => data, issue)).position;
  };

  const issue = async (
    workspace: string,
    one: Ready,
    served: Served | null,
    before: Before | undefined,
    context: Context,
    signal: AbortSignal,
  ): Promise<number | null> => {
    const { goal, goalId } = one;
    const price = priceOf(goal);
    const naively = (why: Warning) => serveNaively(deps, workspace, one, why, signal);
    let lacks: HealthReason | null = isOverBudget(goal, before, price, context.at)
      ? 'budget_exhausted'
      : null;
    let by = served;
    let position: number | null = null;
    if (lacks === null && by)
      try {
        position = await keep(workspace, one, by, before, price, context);
      } catch (error) {
        if (!(error instanceof Rejected) || error.kind !== 'unpaid') throw error;
        lacks = 'credits_exhausted';
      }
    if (lacks !== null) {
      by = await naively(LACKS[lacks]!);
      position = await keep(workspace, one, by, before, null, context);
    }
    await noteHealth(workspace, goalId, goal, { lacks, by: by! }, context);
    return position;
  };

  const noteHealth = async (
    workspace: string,
    goalId: string,
    { champion, reasons }: LiveGoal,
    { lacks, by }: { readonly lacks: HealthReason | null; readonly by: Served },
    context: Context,
  ): Promise<void> => {
    const holds: HealthReason[] = lacks ? [lacks] : [];
    if (!lacks && champion && by.by.servedBy !== 'champion') holds.push('champion_not_served');
    const add = holds.filter(reason => !reasons.includes(reason));
    const remove = OURS.filter(reason => reasons.includes(reason) && !holds.includes(reason));
    if (add.length + remove.length > 0) await goals.health({ workspace, goalId }, { add, remove }, context);
  };

  return {
    priceOf,
    /** Makes forecasts of goals of one workspace; each as if it were alone. */
    async issue(
      workspace: string,
      all: readonly Wanted[],
      context: Context,
      signal: AbortSignal,
    ): Promise<readonly Issued[]> {
      const found = await Promise.all(all.map(wanted => ready(workspace, wanted)));
      const open = found.filter((one): one is Ready => 'history' in one);
      const before = await deps.before(
        workspace,
        open.map(({ goalId }) => goalId),
      );
      const isFree = ({ goal, goalId }: Ready): boolean =>
        isOverBudget(goal, before.get(goalId), priceOf(goal), context.at);
      const paying = open.filter(one => !isFree(one));
      const answers = paying.length > 0 ? await serve(deps, workspace, paying, signal) : [];
      return Promise.all(
        found.map(async (one): Promise<Issued> => {
          if (!('history' in one)) return one;
          const { wanted } = one;
          const served = answers[paying.indexOf(one)] ?? null;
          if (served && !isServed(served)) return { wanted, status: 'failed', error: served.error };
          try {
            const position = await issue(workspace, one, served, before.get(one.goalId), context, signal);
            return { wanted, status: 'issued', position };
          } catch (error) {
            signal.throwIfAborted();
            return { wanted, status: 'failed', error };
          }
        }),
      );
    },
  };
}

type Data = GoalForecastIssued['data'];
const fits = (data: Data): boolean => Buffer.byteLength(JSON.stringify(data)) <= MAX_APPEND_BYTES;

/** Where there is too much to keep, without what was known of all that moved it: the log has that, too. */
function asFits(data: Data): Data {
  if (fits(data)) return data;
  const { known: _, ...follows } = data.follows!;
  return { ...data, follows };
}

/** What cannot be kept is not paid for. @throws Rejected too_large */
function mustFit(data: Data): void {
  if (fits(data)) return;
  const { horizon, points, appliedEvents } = data;
  const numbers = `${horizon} steps, ${points.levels.length} quantiles and ${appliedEvents.length} events`;
  const limit = { limit_bytes: MAX_APPEND_BYTES, limit_of: 'write' };
  const message = `A forecast of ${numbers} is too large to be kept`;
  throw new Rejected('too_large', 'payload_too_large', message, limit);
}

/** Reasons that a forecast which was made takes back. */
const OURS: readonly HealthReason[] = [
  'champion_not_served',
  'credits_exhausted',
  'budget_exhausted',
  'forecast_missed',
];

const LACKS: Readonly<Partial<Record<HealthReason, Warning>>> = {
  credits_exhausted: {
    code: 'credits_exhausted',
    message: 'No credits are left: seasonal naive, which costs nothing, was asked instead',
  },
  budget_exhausted: {
    code: 'budget_exhausted',
    message: 'max_credit_per_month is spent: seasonal naive, which costs nothing, was asked instead',
  },
};

function isOverBudget(
  { settings }: LiveGoal,
  before: Before | undefined,
  { amount }: Price,
  at: number,
): boolean {
  const most = settings.options.maxCreditPerMonth;
  if (most === null) return false;
  return isAbove((before?.month === monthOf(at) ? before.spent : 0) + amount, most);
}
