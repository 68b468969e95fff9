import type { Beside } from '../api/goals/deps.js';
import type { CameEvent, Evidences } from '../commands/alerts/ports.js';
import { availableIn, monthOf } from '../domain/billing/account.js';
import { creditsNumber } from '../domain/billing/amounts.js';
import { MONTH_DAYS } from '../domain/forecasts/accuracy.js';
import { DAY } from '../domain/time.js';
import type { EventDoc } from '../projections/events/documents.js';
import { recordOf } from '../projections/forecasts/accuracy.js';
import type { BillingArea } from './billing.js';
import type { EventsArea } from './events.js';
import type { ForecastsArea } from './forecasts.js';
import type { GoalsArea } from './goals.js';

type On = {
  readonly billing: BillingArea;
  readonly events: EventsArea;
  readonly goals: GoalsArea;
  readonly forecasts: ForecastsArea;
  readonly beside: Pick<Beside, 'edges' | 'shocks'>;
};

/** Newest events of a stream that are looked at. */
const NEWEST = 50;

/** What alerts are judged by, of the areas that know it. */
export function alertEvidences({
  billing,
  events,
  goals,
  forecasts,
  beside,
}: On): Omit<Evidences, 'upSince'> {
  const { queries } = forecasts;
  const forecast: Evidences['forecast'] = async (workspace, forecastId) => {
    const doc = await queries.forecast(workspace, forecastId);
    return doc && { forecastId, points: doc.issued.points };
  };
  return {
    forecast,
    async actuals(workspace, goalId, from) {
      const last = await queries.lastActuals(workspace, goalId);
      if (!last) return [];
      const until = Math.max(...last.steps.map(({ time }) => time));
      const first = Math.min(until, Math.max(from, until - MONTH_DAYS * DAY));
      const docs = await queries.actuals(workspace, goalId, first, until);
      return docs.flatMap(({ steps }) => steps).sort((a, b) => a.time - b.time);
    },
    record: (workspace, goalId, metric) => recordOf(queries, workspace, goalId, metric),
    async latest(workspace, goalId) {
      const latest = (await queries.record(workspace, goalId))?.latest ?? null;
      const found = latest && (await forecast(workspace, latest.forecast_id));
      return found && { ...found, issuedAt: latest!.issued_at };
    },
    lastAt: async (workspace, key) => (await goals.lastAt(workspace, [key])).get(key) ?? null,
    async event(workspace, eventId) {
      const doc = await events.queries.event(workspace, eventId);
      return doc && cameOf(doc);
    },
    async events(workspace, stream, until) {
      const found = await events.reads.ofStream(workspace, stream);
      const page = await found?.streamPage(workspace, stream, NEWEST, until + 1, null);
      return (page?.events ?? []).flatMap(doc => cameOf(doc) ?? []);
    },
    shock: async (workspace, goalId) =>
      (await beside.shocks(workspace, [goalId])).get(goalId)?.state ?? 'normal',
    weakening: async (workspace, goalId) =>
      (await beside.edges(workspace, [goalId])).get(goalId)?.weakening ?? 0,
    async spent(workspace, goalId, at) {
      const record = await queries.record(workspace, goalId);
      return record?.month === monthOf(at) ? creditsNumber(record.spent) : 0;
    },
    async purse(workspace) {
      const account = await billing.accountOf(workspace);
      const granted = creditsNumber(account.planCredits);
      return { granted, available: creditsNumber(availableIn(account)) };
    },
  };
}

/** Null: it is not scored yet. */
const cameOf = ({ event_id, text, scores, occurred_at, timestamp, shape }: EventDoc): CameEvent | null =>
  scores && {
    ...{ eventId: event_id, text, importance: scores.importance },
    ...{ occurredAt: occurred_at, recordedAt: timestamp, isStale: shape === 'stale' },
  };
