import type { Verdict } from '../../domain/alerts/commands.js';
import {
  anomaly,
  bandBreach,
  coverage,
  drift,
  evidenceOf,
  figure,
  forecastThreshold,
  percent,
  threshold,
  type Found,
  type HadStep,
} from '../../domain/alerts/judging.js';
import { natures, type Watched } from '../../domain/alerts/kinds.js';
import type { ActualStep } from '../../domain/forecasts/grading.js';
import type { GoalSettings } from '../../domain/goals/settings.js';
import { Rejected } from '../../domain/rejected.js';
import { isStale } from '../../domain/revisions/causes.js';
import { HOUR, iso, SECOND } from '../../domain/time.js';
import type { CameEvent, Evidences } from './ports.js';

/** What is looked at: a rule of a goal (null: of none), at a time, epoch ms. */
export type Looked = {
  readonly workspace: string;
  readonly watched: Watched;
  readonly goal: { readonly goalId: string; readonly settings: GoalSettings } | null;
  readonly now: number;
};
/** What a look found. `key`: what names the check, where that is not the time of it. */
export type Look = { readonly verdict: Verdict; readonly key: string | null };
type OfGoal = NonNullable<Looked['goal']>;

/** A rule without a goal is looked at each hour. */
export const HOURLY = { cadenceS: HOUR / SECOND, timezone: 'UTC' } as const;
/** So many cadences may pass without data. */
const LOST_AFTER = 3;

export type Looking = ReturnType<typeof looking>;

/** Steps of the newest month, and those of the newest day alone. */
const MONTH = -Infinity;
const NEWEST = Infinity;

/** The same evidences, each read once: for looks at one moment. */
function readOnce(by: Evidences): Evidences {
  const once = <A extends readonly (string | number)[], T>(read: (...of: A) => Promise<T>) => {
    const known = new Map<string, Promise<T>>();
    return (...of: A): Promise<T> => {
      const name = of.join('\n');
      const found = known.get(name) ?? read(...of);
      known.set(name, found);
      return found;
    };
  };
  const { actuals, record, forecast, latest, lastAt } = by;
  return {
    ...by,
    ...{ actuals: once(actuals), record: once(record), forecast: once(forecast) },
    ...{ latest: once(latest), lastAt: once(lastAt) },
  };
}

/** What rules find when they are looked at. Null: there is nothing to judge by. */
export const looking = (by: Evidences) => ({
  ...looksBy(by),
  /** The same for looks at one moment: what several of them ask for is read once. */
  together: () => looksBy(readOnce(by)),
});

function looksBy(by: Evidences) {
  /** The forecast that had a step, the newest before it. */
  const hadStep = (workspace: string, { forecastIds }: ActualStep): Promise<HadStep | null> => {
    const newest = forecastIds.at(-1);
    return newest === undefined ? Promise.resolve(null) : by.forecast(workspace, newest);
  };

  /** A rule on actuals, of one step. */
  const atActual = async ({ workspace, watched, goal }: Looked, step: ActualStep): Promise<Found> => {
    const { target } = goal!.settings;
    if (watched.kind === 'threshold') return threshold(watched.params, target, step);
    const had = await hadStep(workspace, step);
    if (watched.kind === 'band_breach') return bandBreach(watched.params, target, step, had);
    if (watched.kind !== 'anomaly') return null;
    return anomaly(watched.params, target, step, await by.actuals(workspace, goal!.goalId, MONTH), had);
  };

  /** A rule on a forecast. */
  const atForecast = async (
    { workspace, watched, goal }: Looked,
    forecast: HadStep,
  ): Promise<Look | null> => {
    if (watched.kind !== 'forecast_threshold') return null;
    const steps = await by.actuals(workspace, goal!.goalId, MONTH);
    const found = forecastThreshold(watched.params, goal!.settings.target, forecast, steps);
    return found && { verdict: found, key: forecast.forecastId };
  };

  /** Whether data came in time; null: they did. */
  const lost = async ({ workspace, watched, now }: Looked, { goalId, settings }: OfGoal) => {
    const { target, cadenceS, stepS } = settings;
    const lastAt = await by.lastAt(workspace, target);
    if (lastAt === null) throw noTarget(target);
    const last =
      watched.kind === 'forecast_threshold'
        ? ((await by.latest(workspace, goalId))?.issuedAt ?? null)
        : lastAt;
    const within = LOST_AFTER * Math.max(cadenceS, stepS) * SECOND;
    if (last !== null && now - last < within) return null;
    return { lastAt: last, within, upSince: await by.upSince() };
  };

  const byData = async (looked: Looked, goal: OfGoal): Promise<Look | null> => {
    const { workspace, watched } = looked;
    const { goalId, settings } = goal;
    const missing = await lost(looked, goal);
    if (missing) return { verdict: missing, key: null };
    if (watched.kind === 'forecast_threshold') {
      const latest = await by.latest(workspace, goalId);
      return latest && atForecast(looked, latest);
    }
    if (watched.kind === 'drift' || watched.kind === 'coverage') {
      const { week, month } = await by.record(workspace, goalId, settings.metric);
      return made(
        watched.kind === 'drift' ? drift(watched.params, week, month) : coverage(watched.params, month),
      );
    }
    const newest = (await by.actuals(workspace, goalId, NEWEST)).at(-1);
    const found = newest ? await atActual(looked, newest) : null;
    return found && { verdict: found, key: ofStep(newest!) };
  };

  return {
    atActual,
    atForecast,
    actuals: by.actuals,
    event: by.event,
    /** How it stands now. */
    async now(looked: Looked): Promise<Look | null> {
      const { workspace, watched, goal, now } = looked;
      try {
        if (natures[watched.kind].needsData) return await byData(looked, goal!);
        switch (watched.kind) {
          case 'event': {
            const { cadenceS } = goal?.settings ?? HOURLY;
            const events = await by.events(workspace, watched.params.stream, now);
            const awaited = events.filter(event => isAwaited(watched.params, event, goal?.settings ?? null));
            return eventsSince(watched.params, awaited, now - cadenceS * SECOND);
          }
          case 'budget':
            return made(await budget(by, looked, watched.params.share));
          default:
            return made(await ofState(by, looked, goal!));
        }
      } catch (error) {
        if (!(error instanceof Rejected) || error.kind === 'unavailable') throw error;
        return { verdict: { code: error.code, message: error.message }, key: null };
      }
    },
  };
}

/** A step's actual is one check, however often it is looked at. */
export const ofStep = ({ time, actual }: ActualStep): string => `step:${time}:${actual}`;

const made = (found: Found): Look | null => found && { verdict: found, key: null };

const noTarget = (target: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no signal '${target}'`, { key: target });

type Stream = Extract<Watched, { readonly kind: 'event' }>['params'];

/**
 * Whether an event is one that a rule waits for: it did not come too late for the rule's goal; null: it has
 * none, and goes by the event's shape.
 */
export const isAwaited = (
  { minImportance }: Stream,
  event: CameEvent,
  goal: Pick<GoalSettings, 'cadenceS'> | null,
): boolean =>
  event.importance >= minImportance
  && !(goal ? isStale(goal, event.occurredAt, event.recordedAt) : event.isStale);

/** What a rule finds in an event: it is named by it, so that each counts once. */
export function atEvent({ stream }: Stream, { eventId, text, importance, occurredAt }: CameEvent): Look {
  const message = `${stream}, ${iso(occurredAt)}, importance ${figure(importance)}: ${shortened(text)}`;
  const evidence = evidenceOf(message, importance, { at: occurredAt, eventId });
  return { verdict: { holds: true, evidence }, key: `event:${eventId}` };
}

/** An event holds for one cadence. */
function eventsSince(params: Stream, events: readonly CameEvent[], since: number): Look {
  const found = events.find(event => Math.max(event.occurredAt, event.recordedAt) > since);
  if (found) return atEvent(params, found);
  return {
    verdict: { holds: false, evidence: evidenceOf(`Nothing new in ${params.stream}`, null) },
    key: null,
  };
}

const LONGEST_TEXT = 200;
const shortened = (text: string): string => {
  const characters = [...text.slice(0, 2 * LONGEST_TEXT)];
  return characters.length > LONGEST_TEXT ? `${characters.slice(0, LONGEST_TEXT).join('')}...` : text;
};

async function ofState(by: Evidences, { workspace, watched, now }: Looked, goal: OfGoal): Promise<Found> {
  const { goalId, settings } = goal;
  const { target, cadenceS, stepS } = settings;
  if (watched.kind === 'shock') {
    const state = await by.shock(workspace, goalId);
    return { holds: state !== 'normal', evidence: evidenceOf(`Its shock state is ${state}`, null) };
  }
  if (watched.kind === 'edge_weakening') {
    const count = await by.weakening(workspace, goalId);
    const message = `${count} ${count === 1 ? 'driver weakens' : 'drivers weaken'}`;
    return { holds: count > 0, evidence: evidenceOf(message, count) };
  }
  if (watched.kind !== 'data_stale') return null;
  const lastAt = await by.lastAt(workspace, target);
  const passed = lastAt === null ? Infinity : (now - lastAt) / (Math.max(cadenceS, stepS) * SECOND);
  const message =
    lastAt === null
      ? `There is no signal '${target}'`
      : `Data of ${target} came last at ${iso(lastAt)}, ${figure(passed)} cadences ago`;
  const value = Number.isFinite(passed) ? passed : null;
  return { holds: passed > watched.params.cadences, evidence: evidenceOf(message, value, { at: lastAt }) };
}

/** Of a goal with a bound by the month what its forecasts cost, else what the plan grants. */
async function budget(by: Evidences, { workspace, goal, now }: Looked, share: number): Promise<Found> {
  const most = goal?.settings.options.maxCreditPerMonth ?? null;
  const { used, of, what } =
    goal && most !== null
      ? { used: await by.spent(workspace, goal.goalId, now), of: most, what: 'max_credit_per_month' }
      : await ofPlan(by, workspace);
  if (of <= 0 && used <= 0) return null;
  const gone = of > 0 ? used / of : 1;
  const message = `${percent(gone)} of ${what} is spent: ${figure(used)} of ${figure(of)} credits`;
  return { holds: gone >= share, evidence: evidenceOf(message, gone) };
}
async function ofPlan(by: Evidences, workspace: string) {
  const { granted, available } = await by.purse(workspace);
  return { used: Math.max(0, granted - available), of: granted, what: "the plan's credits" };
}
