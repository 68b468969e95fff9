import { firstFrom } from '../domain/maths/series/series.js';
import { BLOCK_ROWS, type Sources } from '../domain/segments/ports.js';
import { HOUR, MINUTE } from '../domain/time.js';
import { randomOf } from '../test/random.js';
import { COLUMNS } from './segments-recipe.js';

export type Signal = { readonly times: Float64Array; readonly values: Float64Array };

const START = Date.UTC(2000, 0, 1);

/** Of hours from START on: two points in each; one hour in forty has none, but for the first and the last. */
export function signals(hours: number): Map<string, Signal> {
  return new Map(
    COLUMNS.map((name, i) => {
      const random = randomOf(7 + i);
      const times: number[] = [];
      const values: number[] = [];
      for (let hour = 0; hour < hours; hour++) {
        if (hour > 0 && hour < hours - 1 && random.chance(1 / 40)) continue;
        for (const minute of [5, 35]) {
          times.push(START + hour * HOUR + minute * MINUTE);
          values.push(10 * Math.sin(hour / 24) + random.next());
        }
      }
      return [name, { times: Float64Array.from(times), values: Float64Array.from(values) }];
    }),
  );
}

/** The signals until a time, in pages as a store gives them. */
export function sourcesOf(known: ReadonlyMap<string, Signal>, until = Infinity): Sources {
  const within = ({ times }: Signal, from: number, to: number): [number, number] => [
    firstFrom(times, from),
    firstFrom(times, Math.min(to, until)),
  ];
  return {
    asOf: until,
    async *points(key, from, to) {
      const signal = known.get(key)!;
      const [first, end] = within(signal, from, to);
      for (let i = first; i < end; i += BLOCK_ROWS) {
        const next = Math.min(end, i + BLOCK_ROWS);
        yield { times: signal.times.subarray(i, next), values: signal.values.subarray(i, next) };
      }
    },
    async *events() {
      // The recipe has no streams
    },
    responses: async () => [],
    async span(key, from, to) {
      const signal = known.get(key)!;
      const [first, end] = within(signal, from, to);
      return first < end ? { first: signal.times[first]!, last: signal.times[end - 1]! } : null;
    },
    entities: async () => [],
    holidays: async () => null,
  };
}
