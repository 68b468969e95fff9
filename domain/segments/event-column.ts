import { StepReader } from './aggregate.js';
import type { ColumnBuffer } from './columns.js';
import { Decay, memoryOf } from './decay.js';
import type { Sources } from './ports.js';
import type { EventStream } from './recipe.js';
import type { StateReader, StateWriter } from './saved.js';
import { SECOND } from '../time.js';
import type { Series } from '../maths/series/series.js';

/** A column made of the events of a stream. */
export type EventColumn = {
  run(rows: number, edges: Float64Array): Promise<void>;
  end(): Promise<void>;
  save(state: StateWriter): void;
  load(state: StateReader): void;
};

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
): EventColumn {
  if (encoding === 'decay') {
    const decay = new Decay(
      begin => sources.events(stream, begin === firstStep ? begin - memoryOf(halfLifeS) : begin, to),
      halfLifeS * SECOND,
      firstStep,
    );
    return {
      run: (rows, edges) => decay.read(buffer.now(rows), edges, rows),
      end: () => decay.end(),
      save: state => decay.save(state),
      load: state => decay.load(state),
    };
  }
  let reader: StepReader | null = null;
  const open = (begin: number): StepReader => {
    const events = sources.events(stream, Math.max(from, begin), to);
    const unused = { singles: 0, several: 0, further: 0 };
    return new StepReader(encoding === 'count' ? ones(events) : events, 'sum', 0, unused, 0);
  };
  return {
    async run(rows, edges) {
      reader ??= open(edges[0]!);
      await reader.read(buffer.now(rows), edges, 0, rows);
    },
    end: async () => reader?.end(),
    save: () => undefined,
    load: () => undefined,
  };
}

async function* ones(events: AsyncIterable<Series>): AsyncGenerator<Series> {
  for await (const { times } of events) yield { times, values: new Float64Array(times.length).fill(1) };
}
