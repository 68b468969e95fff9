import { StepReader } from './aggregate.js';
import type { ColumnBuffer } from './columns.js';
import { Decay, memoryOf } from './decay.js';
import { EventWalk } from './event-walk.js';
import type { Sources, UsedResponse } from './ports.js';
import type { Reading, ReadOf, Receipt } from './receipts.js';
import type { EventStream } from './recipe.js';
import { Responding } from './responding.js';
import type { StateReader, StateWriter } from './saved.js';
import type { Steps } from './steps.js';
import { reachOf } from '../maths/effects/applied.js';
import { SECOND } from '../time.js';
import { firstFrom, type Series } from '../maths/series/series.js';

/** A column made of the events of a stream. */
export type EventColumn = {
  run(rows: number, edges: Float64Array): Promise<void>;
  end(): Promise<void>;
  /** Of what was used up since the one before; null where nobody asks for receipts. */
  receipt(): Receipt | null;
  save(state: StateWriter): void;
  load(state: StateReader): void;
};

/** Null: nobody asks for receipts. */
export type NewReading = (of: ReadOf, key: string, from: number) => Reading | null;
type Times = { readonly from: number; readonly to: number };

export type EventColumnOf = {
  readonly stream: EventStream;
  readonly sources: Sources;
  /** Before `from` no events count but those that decay or still act; `to` is not included. */
  readonly window: Times;
  /** The beginning of the table, and the end of its past, in whose rows only what has happened counts. */
  readonly firstStep: number;
  readonly pastEnd: number;
  readonly steps: Steps;
  readonly stepMs: number;
  readonly buffer: ColumnBuffer;
  readonly newReading: NewReading;
};

/** Counts and sums of events, and how long ago they were. */
export function eventColumn(of: EventColumnOf): EventColumn {
  const { stream, sources, window, firstStep, pastEnd, buffer, newReading } = of;
  const { stream: key, half_life_s: halfLifeS } = stream;
  if (stream.encoding === 'decay') {
    const memory = memoryOf(halfLifeS);
    const open: Open = from => [
      sources.events(key, from, window.to, 'value'),
      newReading('times', key, from),
    ];
    return walked(of, new Decay(halfLifeS * SECOND, firstStep), firstStep - memory, open);
  }
  let reading: Reading | null = null;
  let readTo = firstStep;
  let reader: StepReader | null = null;
  const open = (begin: number): StepReader => {
    const first = Math.max(window.from, begin);
    const known = sources.events(key, first, window.to, 'value');
    const events = without(known, sources.asOf, pastEnd);
    const unused = { singles: 0, several: 0, further: 0 };
    const isCount = stream.encoding === 'count';
    reading = newReading(isCount ? 'times' : 'value', key, first);
    return new StepReader(isCount ? ones(events) : events, 'sum', 0, unused, 0, reading);
  };
  return {
    async run(rows, edges) {
      reader ??= open(edges[0]!);
      await reader.read(buffer.now(rows), edges, 0, rows);
      readTo = edges[rows]!;
    },
    end: async () => reader?.end(),
    receipt: () => reading?.receipt(Math.min(window.to, readTo)) ?? null,
    save: () => undefined,
    load: () => undefined,
  };
}

/** What events do to the target; `used` null: it is not known, and the column is empty. */
export function responseColumn(of: EventColumnOf, used: UsedResponse | null): EventColumn {
  const { stream, sources, window, firstStep, steps, stepMs, buffer, newReading } = of;
  if (!used) return { ...NOTHING, run: async rows => void buffer.now(rows).fill(NaN) };
  const { response, weighing } = used;
  const figure = weighing.by === 'none' ? 'value' : weighing.by;
  const readOf = weighing.by === 'none' ? 'times' : weighing.by;
  const open: Open = from => [
    sources.events(stream.stream, from, window.to, figure),
    newReading(readOf, stream.stream, from),
  ];
  const since = steps.back(firstStep, reachOf(response));
  return walked(of, new Responding(response, weighing, steps, stepMs), since, open);
}

const NOTHING: Omit<EventColumn, 'run'> = {
  end: async () => undefined,
  receipt: () => null,
  save: () => undefined,
  load: () => undefined,
};

/** Events from a time on, and who is told of what is used up of them. */
type Open = (from: number) => [events: AsyncIterable<Series>, reading: Reading | null];

/** A column whose rows look at events of long before; its first one at those from a time on. */
function walked(
  { sources, window, firstStep, pastEnd, buffer }: EventColumnOf,
  machine: Decay | Responding,
  since: number,
  open: Open,
): EventColumn {
  let walk: EventWalk | null = null;
  let readTo = firstStep;
  return {
    async run(rows, edges) {
      const begin = edges[0]!;
      walk ??= new EventWalk(...open(begin === firstStep ? since : begin));
      // What is to happen before the past ends acts in the rows ahead
      walk.until = begin < pastEnd ? sources.asOf : Infinity;
      await machine.read(walk, buffer.now(rows), edges, rows);
      readTo = edges[rows]!;
    },
    end: async () => walk?.end(),
    receipt: () => walk?.reading?.receipt(Math.min(window.to, readTo)) ?? null,
    save: state => machine.save(state),
    load: state => machine.load(state),
  };
}

/** Events but for those after a time and before another. */
async function* without(
  events: AsyncIterable<Series>,
  after: number,
  before: number,
): AsyncGenerator<Series> {
  for await (const page of events) {
    const { times, values } = page;
    const [from, to] = [firstFrom(times, after + 1), firstFrom(times, before)];
    if (from >= to) yield page;
    else
      yield {
        times: [...times.slice(0, from), ...times.slice(to)],
        values: [...values.slice(0, from), ...values.slice(to)],
      };
  }
}

async function* ones(events: AsyncIterable<Series>): AsyncGenerator<Series> {
  for await (const { times } of events) yield { times, values: new Float64Array(times.length).fill(1) };
}
