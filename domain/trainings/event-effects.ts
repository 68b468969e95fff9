import { countBefore } from './cuts.js';
import type { FoldForecast, TrainingTable } from './ports.js';
import type { Report } from './report.js';

/**
 * What events moved beyond the forecasts: for each stream of the table the mean of actual less median over
 * the judged steps with an event, less that over the steps without one, in the unit of the target; `n` steps
 * have one. Streams without an event in any judged step are left out.
 */
export function eventEffectsOf(
  { columns, series }: TrainingTable,
  made: readonly FoldForecast[],
): Report['event_effects'] {
  const bySeries = new Map(series.map(each => [each.entity, each]));
  const streams = new Set<string>();
  return columns.flatMap(({ name, role }, column) => {
    const stream = name.slice(0, name.lastIndexOf(':'));
    if (role !== 'event' || streams.has(stream)) return [];
    streams.add(stream);
    const [inside, outside] = [new Mean(), new Mean()];
    for (const { entity, forecast, actual } of made) {
      const { times, columns: values } = bySeries.get(entity)!;
      const first = countBefore(times, forecast.times[0]!);
      actual.forEach((y, h) => {
        const event = values[column]![first + h]!;
        (Number.isFinite(event) && event !== 0 ? inside : outside).take(y - forecast.mean[h]!);
      });
    }
    if (inside.n === 0) return [];
    return [{ stream, effect: inside.value - (outside.n > 0 ? outside.value : 0), n: inside.n }];
  });
}

/** The mean of the finite numbers that it takes. */
class Mean {
  n = 0;
  #sum = 0;

  take(x: number): void {
    if (!Number.isFinite(x)) return;
    this.n++;
    this.#sum += x;
  }

  get value(): number {
    return this.#sum / this.n;
  }
}
