import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import {
  dayOf,
  forecastDocId,
  goalIn,
  sourceIn,
  type ActualsDoc,
  type ForecastDoc,
  type RecordDoc,
} from './documents.js';

export type ForecastQueries = ReturnType<typeof forecastQueries>;
type Paging = { readonly limit: number; readonly offset: number };
/** Times of issue (epoch ms), both included; null: whenever. */
export type IssuedWithin = { readonly from: number | null; readonly to: number | null };

/** Forecasts that are looked at at a time. */
const AT_ONCE = 100;

export const forecastQueries = (read: Reader) => ({
  upTo: read.upTo,
  /** Null: the workspace has none with this id. */
  forecast: (workspace: string, forecastId: string) =>
    read.get<ForecastDoc>('goal_forecasts', forecastDocId(workspace, forecastId)),
  record: (workspace: string, goalId: string) =>
    read.get<RecordDoc>('goal_records', goalIn(workspace, goalId)),
  /** By goal id, of those that there are. */
  async records(workspace: string, goalIds: readonly string[]): Promise<Map<string, Stored<RecordDoc>>> {
    const docs = await read.load<RecordDoc>(
      'goal_records',
      goalIds.map(id => goalIn(workspace, id)),
    );
    return new Map([...docs.values()].map(doc => [doc.goal_id, doc]));
  },
  /** The newest forecast of each goal that has one, by goal id. */
  async newestOf(workspace: string, goalIds: readonly string[]): Promise<Map<string, ForecastDoc>> {
    const records = await read.load<RecordDoc>(
      'goal_records',
      goalIds.map(id => goalIn(workspace, id)),
    );
    const ids = [...records.values()].flatMap(({ latest }) =>
      latest ? [forecastDocId(workspace, latest.forecast_id)] : [],
    );
    const docs = await read.load<ForecastDoc>('goal_forecasts', ids);
    return new Map([...docs.values()].map(doc => [doc.issued.goalId, doc]));
  },
  /** Newest first, and how many there are in all. */
  async forecasts(workspace: string, goalId: string, { from, to }: IssuedWithin, paging: Paging) {
    const within = { ...(from !== null && { gte: from }), ...(to !== null && { lte: to }) };
    const where = {
      goal: goalIn(workspace, goalId),
      ...((from !== null || to !== null) && { issued_at: within }),
    };
    const sort = { by: ['issued_at', '_id'], descending: true };
    const [items, total] = await Promise.all([
      read.find<ForecastDoc>('goal_forecasts', { where, sort, ...paging }),
      read.count('goal_forecasts', where),
    ]);
    return { items, total };
  },
  /** What came from the day of one time to that of another, day by day. */
  async actuals(workspace: string, goalId: string, from: number, to: number): Promise<ActualsDoc[]> {
    const found: ActualsDoc[] = [];
    for await (const page of read.pages<ActualsDoc>('goal_actuals', {
      where: { goal: goalIn(workspace, goalId), day: { gte: dayOf(from), lte: dayOf(to) } },
      sort: { by: ['day', '_id'] },
    }))
      found.push(...page);
    return found;
  },
  /** The last day on which something came. */
  async lastActuals(workspace: string, goalId: string): Promise<ActualsDoc | null> {
    const [last] = await read.find<ActualsDoc>('goal_actuals', {
      where: { goal: goalIn(workspace, goalId) },
      ...{ sort: { by: ['day', '_id'], descending: true }, limit: 1 },
    });
    return last ?? null;
  },
  /**
   * Forecasts with a step from `first` to `last`, page by page; none takes longer from its first step to its
   * last than `longest`.
   */
  async *awaiting(
    workspace: string,
    goalId: string,
    { first, last, longest }: { readonly first: number; readonly last: number; readonly longest: number },
  ): AsyncGenerator<ForecastDoc> {
    for await (const page of read.pages<ForecastDoc>('goal_forecasts', {
      where: { goal: goalIn(workspace, goalId), until: { gte: first, lte: last + longest } },
      ...{ sort: { by: ['until', '_id'] }, limit: AT_ONCE },
    }))
      for (const doc of page) if (doc.first <= last) yield doc;
  },
  /** Whoever's, that were forecast from a signal. */
  async readFrom(workspace: string, key: string): Promise<RecordDoc[]> {
    const found: RecordDoc[] = [];
    for await (const page of read.pages<RecordDoc>('goal_records', {
      where: { source: sourceIn(workspace, key) },
      sort: { by: ['source', '_id'] },
    }))
      found.push(...page);
    return found;
  },
  /** All signals that goals were forecast from (`sourceIn`), page by page, with repeats. */
  async *sources(): AsyncGenerator<string[]> {
    for await (const page of read.pages<RecordDoc>('goal_records', {
      where: { source: { gt: '' } },
      ...{ sort: { by: ['source', '_id'] }, fields: ['source'] },
    }))
      yield page.map(({ source }) => source!);
  },
  /** Whoever's, page by page: goals whose next beat has come. */
  due: (now: number) =>
    read.pages<RecordDoc>('goal_records', {
      where: { due_at: { lte: now } },
      sort: { by: ['due_at', '_id'] },
    }),
});
