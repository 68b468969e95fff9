import type { Fact } from '../../domain/fact.js';
import { monthOf } from '../../domain/billing/account.js';
import { beatAfter, owedAfter, owedAt } from '../../domain/forecasts/cadence.js';
import type {
  GoalActualsCame,
  GoalForecastIssued,
  GoalForecastMissed,
} from '../../domain/forecasts/facts.js';
import { NOTHING_TRACKED, tracked } from '../../domain/forecasts/tracker.js';
import type { GoalFact } from '../../domain/goals/facts.js';
import { isOtherSeries } from '../../domain/goals/state.js';
import type { HistoryRead } from '../../domain/inference/facts.js';
import type { GoalSettings } from '../../domain/goals/settings.js';
import { goalSteps } from '../../domain/goals/steps.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import {
  actualsDocId,
  dayOf,
  forecastDocId,
  goalIn,
  sourceIn,
  type ActualsDoc,
  type ForecastDoc,
  type RecordDoc,
} from './documents.js';

type Docs = { goal_actuals: ActualsDoc; goal_forecasts: ForecastDoc; goal_records: RecordDoc };
type Taken = GoalFact | GoalForecastIssued | GoalForecastMissed | GoalActualsCame;

const goalOf = ({ data, meta }: Fact<Taken>): string => goalIn(meta.workspace!, data.goalId);
const forecastIdIn = (fact: Fact<Taken>): string | null =>
  fact.type === 'GoalForecastIssued' ? forecastDocId(fact.meta.workspace!, fact.data.forecastId) : null;
const dayIn = (fact: Fact<Taken>): string | null =>
  fact.type === 'GoalActualsCame'
    ? actualsDocId(fact.meta.workspace!, fact.data.goalId, dayOf(fact.data.steps[0]!.time))
    : null;

const kept = (settings: GoalSettings): RecordDoc['settings'] => ({
  ...{
    target: settings.target,
    ...goalSteps(settings),
    cadenceS: settings.cadenceS,
    metric: settings.metric,
  },
});

/** The record with other members; it goes on to the next beat from what is done with. */
function changed({ goal_records: doc }: Before<Docs>, members: Partial<RecordDoc>): After<Docs> {
  if (!doc) return {};
  const next = { ...doc, ...members };
  const { active, handled, owed, settings } = next;
  const isDue = active && handled !== null;
  return {
    goal_records: { ...next, due_at: isDue ? (owed?.beat ?? beatAfter(settings, handled)) : null },
  };
}
/** Beats before it became active are none. */
const begun = (before: Before<Docs>, { at }: Fact<Taken>) =>
  changed(before, { active: true, handled: at, owed: null });
const rested = (before: Before<Docs>) => changed(before, { active: false });
/** Beats up to one are done with. */
const done = (doc: RecordDoc | null, beat: number): Pick<RecordDoc, 'handled' | 'owed'> => ({
  handled: Math.max(doc?.handled ?? -Infinity, beat),
  owed: owedAfter(doc?.owed ?? null, beat),
});

/** Once a cadence is changed beats count by the new one; what was due by the old one until then still is. */
function paced(doc: RecordDoc, settings: GoalSettings, at: number): Partial<RecordDoc> {
  const { active, handled, owed = null, settings: was } = doc;
  const isSame =
    was.cadenceS === settings.cadenceS
    && was.timezone === settings.timezone
    && !was.stepMonths === !settings.stepMonths;
  if (isSame || !active || handled === null) return {};
  return { handled: Math.max(handled, at), owed: owedAt(was, { handled, before: owed }, at) };
}

/** Goals' forecasts, what came of them, and what follows from it. */
export const forecastsProjection: Projection = projection<Docs, Taken>({
  name: 'forecasts',
  version: 2,
  carries: [1],
  collections: {
    goal_actuals: { indexes: [['goal', 'day', '_id']], idOf: dayIn },
    goal_forecasts: {
      indexes: [
        ['goal', 'issued_at', '_id'],
        ['goal', 'until', '_id'],
      ],
      idOf: forecastIdIn,
    },
    goal_records: {
      indexes: [
        ['due_at', '_id'],
        ['source', '_id'],
        ['workspace', '_id'],
      ],
      idOf: goalOf,
    },
  },
  on: {
    GoalCreated: (_, { data, meta }) => ({
      goal_records: {
        _id: goalIn(meta.workspace!, data.goalId),
        ...{ workspace: meta.workspace!, goal_id: data.goalId, settings: kept(data.settings) },
        ...{
          active: false,
          handled: null,
          owed: null,
          due_at: null,
          latest: null,
          source: null,
          scale: null,
        },
        ...{ tracker: NOTHING_TRACKED, month: '', spent: 0 },
      },
    }),
    GoalChanged: (before, { data: { settings }, at }) => {
      const doc = before.goal_records;
      const isOther = doc && isOtherSeries(doc.settings, settings);
      return changed(before, {
        settings: kept(settings),
        // The record of another series says nothing of this one
        ...(isOther && { tracker: NOTHING_TRACKED }),
        ...(doc && paced(doc, settings, at)),
      });
    },
    GoalWentActive: begun,
    GoalResumed: begun,
    GoalPaused: rested,
    GoalArchived: rested,
    GoalDeleted: () => ({ goal_records: null }),
    GoalForecastIssued: issued,
    GoalForecastMissed: (before, { data }) => changed(before, done(before.goal_records, data.lastDueAt)),
    GoalActualsCame: came,
  },
  sweeps: {
    GoalDeleted: fact => ({
      goal_actuals: { goal: goalOf(fact) },
      goal_forecasts: { goal: goalOf(fact) },
    }),
  },
});

const sourceOf = ({ of, key }: HistoryRead, workspace: string): string =>
  sourceIn(of?.workspace ?? workspace, of?.key ?? key);

/** What it follows from is read from the log alone, where it is made again. */
function shown({ follows: _, ...data }: GoalForecastIssued['data']): GoalForecastIssued['data'] {
  return data;
}

function issued(before: Before<Docs>, fact: Fact<GoalForecastIssued>): After<Docs> {
  const { data, at, meta } = fact;
  const doc = before.goal_records;
  if (!doc) return {};
  const { times, mean } = data.points;
  const month = monthOf(at);
  return {
    ...changed(before, {
      ...(data.dueAt !== null && done(doc, data.dueAt)),
      latest: {
        ...{ forecast_id: data.forecastId, issued_at: at },
        ...{ next_ts: times[0]!, next_value: mean[0]! },
      },
      source: sourceOf(data.read, meta.workspace!),
      scale: data.scales.seasonal,
      month,
      spent: (doc.month === month ? doc.spent : 0) + data.credits,
    }),
    goal_forecasts: {
      _id: forecastDocId(meta.workspace!, data.forecastId),
      goal: goalOf(fact),
      ...{ forecast_id: data.forecastId, issued_at: at, first: times[0]!, until: times.at(-1)! },
      issued: shown(data),
    },
  };
}

/** The tracker follows what came first: a correction is no further miss, and no further hit. */
function came(before: Before<Docs>, fact: Fact<GoalActualsCame>): After<Docs> {
  const { goal_records: doc, goal_actuals: known } = before;
  const { steps } = fact.data;
  if (!doc) return {};
  const times = new Set(known?.steps.map(({ time }) => time));
  const corrected = new Set(steps.map(({ time }) => time));
  return {
    goal_records: {
      ...doc,
      tracker: tracked(
        doc.tracker,
        steps.filter(({ time }) => !times.has(time)),
      ),
    },
    goal_actuals: {
      ...{ _id: dayIn(fact)!, goal: goalOf(fact), day: dayOf(steps[0]!.time) },
      steps: [...(known?.steps ?? []).filter(({ time }) => !corrected.has(time)), ...steps],
    },
  };
}
