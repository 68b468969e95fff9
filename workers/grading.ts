import type { Context } from '../commands/engine/handle.js';
import { graded } from '../commands/inference/grading.js';
import type { InferenceRecords } from '../commands/inference/records.js';
import type { SignalReads } from '../commands/inference/histories.js';
import type { Fact } from '../domain/fact.js';
import type { InferenceCompleted } from '../domain/inference/facts.js';
import { entityOf } from '../domain/maths/series/units.js';
import type { PointsRecorded } from '../domain/signals/facts.js';
import { DAY } from '../domain/time.js';
import type { InferenceDoc } from '../projections/inference/documents.js';
import { awaitedId } from '../projections/inference/projection.js';
import type { InferenceQueries } from '../projections/inference/queries.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { Reactor } from './engine/reactor.js';

type Grading = {
  readonly records: InferenceRecords;
  readonly queries: Pick<InferenceQueries, 'awaited' | 'awaiting' | 'inference'>;
  readonly reads: Pick<SignalReads, 'find' | 'between' | 'lastAt'>;
  /** Resolves true when the read models of signals and of inferences hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
  /** This process alone grades as long as it runs: it may remember which signals are awaited. */
  readonly alone: boolean;
};

/** Forecasts that one point may complete, looked at in one go. */
const AT_ONCE = 500;
const CONCURRENCY = 4;
/**
 * So long signals of a base that fell silent are waited for after others of it have gone on: points of many
 * signals come one signal after the other, and after an outage all of them late.
 */
const PATIENCE = 7 * DAY;

/** Points of a key (null: of all), the time of the newest, and until when what is over is given up. */
type Came = { readonly key: string | null; readonly last: number; readonly givenUp: number };

/**
 * Grades forecasts of signals once the actuals of all their steps are there: when points come, and, for one
 * as of a past moment, when it is made.
 */
export function grading({ records, queries, reads, caughtUp, alone }: Grading): Reactor {
  const awaited = new Awaited(queries);
  const upToDate = async ({ position }: Fact): Promise<void> => {
    if (!(await caughtUp(position)))
      throw new ReadModelsBehind(`the read models do not hold ${position} yet`);
  };
  const grade = async (doc: InferenceDoc, { key, last, givenUp }: Came, context: Context): Promise<void> => {
    const isOver = doc.over !== null && doc.over <= last;
    const isGivenUp = isOver && doc.over <= givenUp && doc.created_at <= givenUp;
    const record = await records.read(doc.workspace, doc.inference_id);
    const within = { ...context, workspace: doc.workspace };
    for await (const each of graded(reads, doc.workspace, doc.inference_id, record, key, {
      isOver,
      isGivenUp,
    }))
      await records.grade(doc.workspace, each, within);
  };
  return {
    name: 'grading',
    concurrency: CONCURRENCY,
    on: {
      async PointsRecorded(fact: Fact<PointsRecorded>, context) {
        const workspace = fact.meta.workspace!;
        const { key } = fact.data;
        const base = entityOf(key)?.base ?? null;
        const places = [key, ...(base === null ? [] : [base])].map(name => [workspace, name] as const);
        // Points that nobody awaits, which most are, cost nothing
        if (alone && !(await awaited.holds(places, () => upToDate(fact)))) return;
        await upToDate(fact);
        const last = await reads.lastAt({ workspace, key });
        if (last === null) return;
        const givenUp = fact.at - PATIENCE;
        const points = { workspace, key, base, from: fact.data.points.from, last, givenUp };
        for (const doc of await queries.awaiting(points, AT_ONCE))
          await grade(doc, { key, last, givenUp }, context);
      },
      async InferenceCompleted(fact: Fact<InferenceCompleted>, context) {
        const { awaits, inferenceId, read } = fact.data;
        if (awaits === null) return;
        awaited.add(awaits);
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

type Place = readonly [workspace: string, key: string];

/** Signals and bases whose points forecasts await: those of the documents at first, and all since. */
class Awaited {
  readonly #names = new Set<string>();
  #loading: Promise<void> | null = null;

  constructor(private readonly queries: Pick<InferenceQueries, 'awaited'>) {}

  add({ workspace, key }: { readonly workspace: string; readonly key: string }): void {
    this.#names.add(awaitedId(workspace, key));
  }

  /** `upToDate`: before documents are read for the first time. */
  async holds(places: readonly Place[], upToDate: () => Promise<void>): Promise<boolean> {
    this.#loading ??= this.#load(upToDate).catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    await this.#loading;
    return places.some(place => this.#names.has(awaitedId(...place)));
  }

  async #load(upToDate: () => Promise<void>): Promise<void> {
    await upToDate();
    for await (const names of this.queries.awaited()) for (const name of names) this.#names.add(name);
  }
}
