import type { Context } from '../commands/engine/handle.js';
import { turns } from '../commands/engine/turns.js';
import { graded } from '../commands/inference/grading.js';
import type { Known } from '../commands/inference/keeping.js';
import type { InferenceRecords } from '../commands/inference/records.js';
import type { SignalReads } from '../commands/inference/histories.js';
import type { Fact } from '../domain/fact.js';
import type { InferenceCompleted } from '../domain/inference/facts.js';
import type { KeptForecasts } from '../domain/inference/kept-forecast.js';
import { unkept, type RecordedInference } from '../domain/inference/state.js';
import { entityOf } from '../domain/maths/series/units.js';
import type { PointsRecorded } from '../domain/signals/facts.js';
import { DAY } from '../domain/time.js';
import type { InferenceDoc } from '../projections/inference/documents.js';
import type { InferenceQueries } from '../projections/inference/queries.js';
import { Awaited, type Place } from './awaited.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { Reactor } from './engine/reactor.js';

type Grading = {
  readonly records: InferenceRecords;
  readonly queries: Pick<InferenceQueries, 'awaited' | 'awaiting' | 'firstUntil' | 'inference'>;
  readonly reads: Pick<SignalReads, 'find' | 'between' | 'lastAt'>;
  /** Resolves true when the read models of signals and of inferences hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
  /** This process alone grades as long as it runs: it may remember which signals are awaited. */
  readonly alone: boolean;
};

const CONCURRENCY = 4;
/**
 * So long signals of a base that fell silent are waited for after others of it have gone on: points of many
 * signals come one signal after the other, and after an outage all of them late.
 */
const PATIENCE = 7 * DAY;

/**
 * A large answer that was graded lately, and how its journal stands: a base is graded signal by signal, and
 * to read it each time would take longer than all else.
 */
type Large = { readonly known: Known; readonly kept: KeptForecasts };
/** So many stay in memory. */
const MOST_LARGE = 4;

/** Points of a key (null: of all), the time of the newest, and until when what is over is given up. */
type Came = { readonly key: string | null; readonly last: number; readonly givenUp: number };

/**
 * Grades forecasts of signals once the actuals of all their steps are there: when points come, and, for one
 * as of a past moment, when it is made.
 */
export function grading({ records, queries, reads, caughtUp, alone }: Grading): Reactor {
  const awaited = new Awaited(queries);
  const inTurn = turns<void>();
  const large = new Map<string, Large>();
  const upToDate = async ({ position }: Fact): Promise<void> => {
    if (!(await caughtUp(position)))
      throw new ReadModelsBehind(`the read models do not hold ${position} yet`);
  };
  const grade = async (doc: InferenceDoc, { key, last, givenUp }: Came, context: Context): Promise<void> => {
    const isOver = doc.over !== null && doc.over <= last;
    const isGivenUp = isOver && doc.over <= givenUp && doc.created_at <= givenUp;
    const { workspace, inference_id: id } = doc;
    const within = { ...context, workspace };
    await inTurn(doc._id, async () => {
      const before = large.get(doc._id);
      const record = before ? (before.known.state as RecordedInference) : await records.read(workspace, id);
      const kept = before?.kept ?? forecastsIn(record);
      let known = before?.known;
      const when = { isOver, isGivenUp };
      for await (const each of graded(reads, workspace, id, { record, kept }, key, when))
        known = await records.grade(workspace, each, within, known);
      if (known && record.parts.answer.length > 0) remember(large, doc._id, { known, kept });
    });
  };
  return {
    name: 'grading',
    concurrency: CONCURRENCY,
    on: {
      async PointsRecorded(fact: Fact<PointsRecorded>, context) {
        const workspace = fact.meta.workspace!;
        const { key } = fact.data;
        const base = entityOf(key)?.base ?? null;
        const places = [key, ...(base === null ? [] : [base])].map((name): Place => [workspace, name]);
        const first = alone ? await awaited.from(places, () => upToDate(fact)) : -Infinity;
        // Points that nobody awaits, which most are, cost nothing
        if (first === Infinity) return;
        await upToDate(fact);
        const last = await reads.lastAt({ workspace, key });
        if (last === null || last < first) return;
        const givenUp = fact.at - PATIENCE;
        const points = { workspace, key, base, from: fact.data.points.from, last, givenUp };
        for await (const doc of queries.awaiting(points)) await grade(doc, { key, last, givenUp }, context);
        if (alone) await awaited.looked(places, fact.position);
      },
      async InferenceCompleted(fact: Fact<InferenceCompleted>, context) {
        const { awaits, inferenceId, read } = fact.data;
        if (awaits === null) return;
        awaited.add(awaits, fact.position);
        const workspace = fact.meta.workspace!;
        const [first] = read;
        const last = first && (await reads.lastAt(first.of ?? { workspace, key: first.key }));
        if (last === undefined || last === null || last < awaits.until) return;
        await upToDate(fact);
        const doc = await queries.inference(workspace, inferenceId);
        // What others of a base lack may still come: what is over by the first of them alone is not ended
        const came = { key: null, last: read.length === 1 ? last : -Infinity, givenUp: -Infinity };
        if (doc) await grade(doc, came, context);
      },
    },
  };
}

const forecastsIn = ({ completed, parts }: RecordedInference): KeptForecasts =>
  unkept(completed!.answer, parts.answer) as KeptForecasts;

/** The one that was graded the longest ago goes. */
function remember(large: Map<string, Large>, id: string, one: Large): void {
  large.delete(id);
  large.set(id, one);
  for (const oldest of large.keys()) if (large.size > MOST_LARGE) large.delete(oldest);
}
