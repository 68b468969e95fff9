import type { Json } from '../../test/json.js';
import type { Stream, World } from './world.js';

/** What forecasts of a world lost, as `bench/goals-truth.ts` compares them, in residual deviations. */
export type Loss = { readonly mine: number; readonly others: number };
/** What a forecast of a shock is blended from. */
export const PARTS = ['champion', 'generalist', 'response'] as const;
export type Parts = Readonly<Record<(typeof PARTS)[number], number>>;

const mediansOf = (forecast: Json): number[] =>
  (forecast.points as Json[]).map(({ quantiles }) => quantiles['0.5']);

/** Absolute errors at some steps of the world, averaged, in residual deviations; null: of none. */
function lossOf(
  world: World,
  forecast: Json,
  [from, to]: readonly [from: number, to: number],
  middles: readonly number[] = mediansOf(forecast),
): number | null {
  const errors = (forecast.points as Json[]).flatMap(({ ts }, i) => {
    const step = stepOf(world, Date.parse(ts));
    const value = world.target[step];
    if (step < from || step > to || value === undefined || Number.isNaN(value)) return [];
    return [Math.abs(middles[i]! - value) / world.residual];
  });
  return errors.length === 0 ? null : errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

export const stepOf = ({ start, stepMs }: World, at: number): number => Math.floor((at - start) / stepMs);
export const newestBefore = (forecasts: readonly Json[], at: number): Json | undefined =>
  forecasts.findLast(({ issued_at }) => Date.parse(issued_at) < at);

/** What two forecasts lost in the first half-life of an event; empty: no actual came. */
export function compared(
  world: World,
  mine: Json | undefined,
  others: Json | undefined,
  stream: Stream,
  step: number,
) {
  if (!mine || !others) return [];
  const [a, b] = [mine, others].map(each => lossOf(world, each, firstHalfLife(stream, step)));
  return a === null || b === null ? [] : [{ mine: a!, others: b! }];
}

/** From the event to the peak, and from there until half is left. */
export const firstHalfLife = ({ effect }: Stream, step: number): readonly [number, number] => [
  step,
  step + (effect ? effect.curve.peak + Math.ceil(effect.halfLife) : 6),
];

/** Of what a forecast of a shock was blended from; empty: of none. */
export function partsOf(world: World, forecast: Json, steps: readonly [number, number]): Parts[] {
  const components = forecast.metadata.shock?.components;
  if (!components) return [];
  const losses = PARTS.map(part => [part, lossOf(world, forecast, steps, components[part])] as const);
  return losses.some(([, loss]) => loss === null) ? [] : [Object.fromEntries(losses) as Parts];
}
