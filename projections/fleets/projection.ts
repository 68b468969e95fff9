import type { Fact } from '../../domain/fact.js';
import type { FleetFact } from '../../domain/fleets/facts.js';
import { lostAt, lostTogether } from '../../domain/fleets/record.js';
import type { GoalActualsCame, GoalForecastIssued } from '../../domain/forecasts/facts.js';
import { MONTH_DAYS } from '../../domain/forecasts/accuracy.js';
import type { GoalChanged, GoalCreated, GoalDeleted } from '../../domain/goals/facts.js';
import { DAY } from '../../domain/time.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { fleetAfter } from './changes.js';
import { fleetDocId, fleetGoalId, type FleetDayDoc, type FleetDoc, type FleetGoalDoc } from './documents.js';

type Docs = { fleet_goals: FleetGoalDoc; fleet_days: FleetDayDoc; fleets: FleetDoc };
type OfGoals = GoalCreated | GoalChanged | GoalDeleted | GoalForecastIssued | GoalActualsCame;
type Taken = FleetFact | OfGoals;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const fleetIn = (fact: Fact<Taken>): string | null =>
  'fleetId' in fact.data && !('goalId' in fact.data)
    ? fleetDocId(fact.meta.workspace!, fact.data.fleetId)
    : null;
const goalIn = (fact: Fact<Taken>): string | null =>
  'goalId' in fact.data ? fleetGoalId(fact.meta.workspace!, fact.data.goalId) : null;
const dayIn = (fact: Fact<Taken>): string | null =>
  fact.type === 'GoalActualsCame' ? `${goalIn(fact)}/${dayOf(fact.data.steps[0]!.time)}` : null;

const told = [
  ...(['FleetCreated', 'FleetChanged', 'FleetSyncRequested', 'FleetPlanned', 'FleetGoalsMade'] as const),
  ...(['FleetSynced', 'FleetPaused', 'FleetResumed', 'FleetSettled', 'FleetDeletionBegan'] as const),
  'FleetDeleted',
] as const satisfies readonly FleetFact['type'][];

const became = ({ fleets }: Before<Docs>, fact: Fact<FleetFact>): After<Docs> => ({
  fleets: fleetAfter(fleets, fact),
});

/** Fleets, and how well the goals of each do. */
export const fleetsProjection: Projection = projection<Docs, Taken>({
  name: 'fleets',
  version: 1,
  collections: {
    fleet_goals: { indexes: [['fleet', '_id']], idOf: goalIn },
    fleet_days: { indexes: [['goal', '_id']], idOf: dayIn },
    fleets: {
      indexes: [
        ['workspace', 'created_at', '_id'],
        ['work', '_id'],
        ['looks', '_id'],
      ],
      idOf: fleetIn,
    },
  },
  on: {
    ...Object.fromEntries(told.map(type => [type, became])),
    GoalCreated: (_, { data: { goalId, fleetId, settings }, meta }) =>
      fleetId === null
        ? {}
        : {
            fleet_goals: {
              _id: fleetGoalId(meta.workspace!, goalId),
              fleet: fleetDocId(meta.workspace!, fleetId),
              ...{ goal_id: goalId, metric: settings.metric, scale: null, days: [] },
            },
          },
    GoalChanged: (before, { data: { settings } }) => changed(before, { metric: settings.metric }),
    GoalForecastIssued: (before, { data: { scales } }) => changed(before, { scale: scales.seasonal }),
    GoalActualsCame: came,
    GoalDeleted: () => ({ fleet_goals: null }),
  },
  sweeps: { GoalDeleted: fact => ({ fleet_days: { goal: goalIn(fact)! } }) },
});

const changed = ({ fleet_goals: doc }: Before<Docs>, members: Partial<FleetGoalDoc>): After<Docs> =>
  doc ? { fleet_goals: { ...doc, ...members } } : {};

function came({ fleet_goals: doc, fleet_days: known }: Before<Docs>, fact: Fact<GoalActualsCame>) {
  if (!doc) return {};
  const came = fact.data.steps.map(step => ({ time: step.time, lost: lostAt(step) }));
  const times = new Set(came.map(({ time }) => time));
  const steps = [...(known?.steps ?? []).filter(({ time }) => !times.has(time)), ...came];
  const day = { day: dayOf(came[0]!.time), lost: lostTogether(steps.map(({ lost }) => lost)) };
  const days = [...doc.days.filter(other => other.day !== day.day), day];
  const newest = days.reduce((last, other) => (other.day > last ? other.day : last), '');
  const first = dayOf(Date.parse(newest) - (MONTH_DAYS - 1) * DAY);
  return {
    fleet_days: { _id: dayIn(fact)!, goal: doc._id, steps },
    fleet_goals: {
      ...doc,
      days: days.filter(other => other.day >= first).sort((a, b) => (a.day < b.day ? -1 : 1)),
    },
  };
}
