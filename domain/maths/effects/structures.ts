import { FORMS, type Shape } from './shapes.js';
import { better, type Explained, type Tried } from './tried.js';

const FACTORS = [0.5, 0.7, 0.85, 1, 1.2, 1.5];
const scaled = (steps: number): number[] => [...new Set(FACTORS.map(by => Math.round(by * steps)))];

/** The jumps, and the shapes with a rise about as long as that of one. */
export const structuresNear = (near: Shape): Shape[] =>
  [0, ...scaled(near.rise).filter(rise => rise > 0)].flatMap(rise =>
    FORMS.map(form => ({ ...near, rise, form })),
  );

/** Rises that late shapes are tried with, in steps. */
const LATE_RISES = [2, 4, 8];

/**
 * Of late jumps, late bells and late rises each the best that is about as late as the best late shape that
 * was looked at; none where none was.
 */
export function lateNear(looked: readonly Tried[], explained: Explained): Shape[] {
  const late = looked.filter(({ shape }) => shape.delay > 0);
  if (late.length === 0) return [];
  const { shape } = late.reduce(better);
  const best = (some: readonly Shape[]): Shape => some.map(explained).reduce(better).shape;
  const delays = scaled(shape.delay).filter(delay => delay > 0);
  const jump = best(delays.map(delay => ({ ...shape, delay })));
  const bell = best(delays.map(delay => ({ ...shape, delay, form: 'bell' })));
  const slow = LATE_RISES.flatMap(rise =>
    [rise, rise / 2].map(earlier => ({ ...shape, delay: jump.delay - earlier, rise })),
  ).filter(({ delay }) => delay > 0);
  return [jump, bell, ...(slow.length > 0 ? [best(slow)] : [])];
}

type Move = readonly [delay: number, rise: number];
const BESIDE: Readonly<Record<'atOnce' | 'jump' | 'slow', readonly Move[]>> = {
  atOnce: [
    [0, -1],
    [0, 1],
  ],
  jump: [
    [-1, 0],
    [0, 0],
    [1, 0],
  ],
  slow: [
    [-1, 0],
    [0, 0],
    [1, 0],
    [0, -1],
    [0, 1],
    [-1, 1],
    [1, -1],
  ],
};

/**
 * Those whose rise or delay is one step off. Of late ones also the shape itself, whose half-life was but
 * roughly known, and of late jumps the other form.
 */
export function structuresBeside(shape: Shape): Shape[] {
  const { delay, rise, form } = shape;
  const isLate = delay > 0;
  const late = rise > 0 ? 'slow' : 'jump';
  const beside = BESIDE[isLate ? late : 'atOnce'].map(([later, slower]) => ({
    ...shape,
    delay: delay + later,
    rise: rise + slower,
  }));
  const others = isLate && rise === 0 ? FORMS.filter(other => other !== form) : [];
  return [...beside.filter(each => each.rise >= 0), ...others.map(other => ({ ...shape, form: other }))];
}
