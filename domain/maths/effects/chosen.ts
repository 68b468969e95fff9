import { fitted, type Fit } from './fit.js';
import { frameBeside, regressorOf, type Frame } from './frame.js';
import { zOf } from './joint.js';
import { scanP } from './placebos.js';
import { pathOf } from './shapes.js';
import type { GriddedStream } from './streams.js';

/** A stream that acts: its response beside all others that do. */
export type Chosen = { readonly at: number; readonly weighing: number; readonly fit: Fit };

/** What a chosen stream adds for a size of 1. */
export const pathIn = (frame: Frame, streams: readonly GriddedStream[], { at, weighing, fit }: Chosen) =>
  pathOf(streams[at]!.weighings[weighing]!, fit.shape, frame.n);

/** The frame without what these streams explain. */
export const without = (frame: Frame, streams: readonly GriddedStream[], chosen: readonly Chosen[]): Frame =>
  frameBeside(
    frame,
    chosen.map(each => regressorOf(frame, pathIn(frame, streams, each))),
  );

/** Each fitted anew beside the others. */
export function refitted(
  frame: Frame,
  streams: readonly GriddedStream[],
  chosen: readonly Chosen[],
): Chosen[] {
  if (chosen.length < 2) return [...chosen];
  const now = [...chosen];
  for (const [i, each] of now.entries()) {
    const free = without(
      frame,
      streams,
      now.filter((_, at) => at !== i),
    );
    now[i] = { ...each, fit: fitted(free, streams[each.at]!.weighings[each.weighing]!, [each.fit.shape]) };
  }
  return now;
}

/** One that is chosen and then has a p above this beside the others goes again. */
const STAYS = 0.05;

/** Without those that are not significant beside the others. */
export function pruned(
  frame: Frame,
  streams: readonly GriddedStream[],
  chosen: readonly Chosen[],
  placebos: readonly Float64Array[],
): Chosen[] {
  const kept = [...chosen];
  while (kept.length > 1) {
    const p = kept.map((each, i) => {
      const regressors = kept.filter((_, at) => at !== i).map(other => pathIn(frame, streams, other));
      const columns = [...regressors, pathIn(frame, streams, each)].map(path => regressorOf(frame, path));
      return scanP(Math.abs(zOf(columns, frame)), placebos[each.at]!);
    });
    const weakest = p.indexOf(Math.max(...p));
    if (p[weakest]! <= STAYS) break;
    kept.splice(weakest, 1);
    kept.splice(0, kept.length, ...refitted(frame, streams, kept));
  }
  return kept;
}
