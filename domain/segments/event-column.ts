import { StepReader } from './aggregate.js';
import type { ColumnBuffer } from './columns.js';
import { Decay, memoryOf } from './decay.js';
import type { Sources } from './ports.js';
import type { Reading, ReadOf, Receipt } from './receipts.js';
import type { EventStream } from './recipe.js';
import type { StateReader, StateWriter } from './saved.js';
import { SECOND } from '../time.js';
import type { Series } from '../maths/series/series.js';

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

/**
 * `from`: before it no events count but those that decay; `to` is not included. `firstStep` is the beginning
 * of the table.
 */
export function eventColumn(
  { stream, encoding, half_life_s: halfLifeS }: EventStream,
  sources: Sources,
  { from, to }: Times,
  firstStep: number,
  buffer: ColumnBuffer,
  newReading: NewReading,
): EventColumn {
  let reading: Reading | null = null;
  let readTo = firstStep;
  const receipt = (): Receipt | null => reading?.receipt(Math.min(to, readTo)) ?? null;
  if (encoding === 'decay') {
    const eventsFrom = (begin: number): AsyncIterable<Series> => {
      const first = begin === firstStep ? begin - memoryOf(halfLifeS) : begin;
      reading = newReading('times', stream, first);
      return sources.events(stream, first, to);
    };
    const decay = new Decay(eventsFrom, halfLifeS * SECOND, firstStep, () => reading);
    return {
      async run(rows, edges) {
        await decay.read(buffer.now(rows), edges, rows);
        readTo = edges[rows]!;
      },
      end: () => decay.end(),
      receipt,
      save: state => decay.save(state),
      load: state => decay.load(state),
    };
  }
  let reader: StepReader | null = null;
  const open = (begin: number): StepReader => {
    const first = Math.max(from, begin);
    const events = sources.events(stream, first, to);
    const unused = { singles: 0, several: 0, further: 0 };
    const isCount = encoding === 'count';
    reading = newReading(isCount ? 'times' : 'events', stream, first);
    return new StepReader(isCount ? ones(events) : events, 'sum', 0, unused, 0, reading);
  };
  return {
    async run(rows, edges) {
      reader ??= open(edges[0]!);
      await reader.read(buffer.now(rows), edges, 0, rows);
      readTo = edges[rows]!;
    },
    end: async () => reader?.end(),
    receipt,
    save: () => undefined,
    load: () => undefined,
  };
}

async function* ones(events: AsyncIterable<Series>): AsyncGenerator<Series> {
  for await (const { times } of events) yield { times, values: new Float64Array(times.length).fill(1) };
}
