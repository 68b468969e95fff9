import { START } from '../../domain/fact.js';
import { checkpointName, type Projection } from '../../projections/engine/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import type { ActiveGenerations } from './generations.js';

/**
 * Which version of each projection answers reads: its own, or while that is built for the first time an
 * earlier one that it carries on (`Projection.carries`).
 */
export type Versions = {
  /** What is to be kept up with the log: the projections themselves, and the earlier ones that serve. */
  readonly kept: readonly Projection[];
  readonly serving: (p: Projection) => Projection;
  /** Projections whose own version does not serve yet. */
  readonly incomplete: () => readonly Projection[];
  /** Of these, those that nothing serves meanwhile: their very first build. */
  readonly unserved: () => readonly Projection[];
  /** Lets the own version serve, for good. */
  readonly serve: (p: Projection) => void;
};

/** For each projection the earlier versions that it carries on, the latest first. */
export type Lineage = ReadonlyMap<Projection, readonly Projection[]>;

export const lineageOf = (projections: readonly Projection[]): Lineage =>
  new Map(
    projections.map(p => {
      const versions = [...(p.carries ?? [])].sort((a, b) => b - a);
      return [p, versions.map(version => ({ ...p, version }))];
    }),
  );

/** Looks at what is there; `head`: where the log ends. */
export async function versionsOf(
  lineage: Lineage,
  models: Pick<ReadModels, 'checkpoint'>,
  generations: ActiveGenerations,
  head: number,
): Promise<Versions> {
  const serving = new Map<Projection, Projection>();
  const positionOf = (p: Projection) => models.checkpoint(checkpointName(p, generations.generationOf(p)));
  /** It was complete, and is still there. */
  const serves = async (p: Projection): Promise<boolean> => {
    if (!generations.isComplete(p)) return false;
    if ((await positionOf(p)) > START) return true;
    await generations.forget(p);
    return false;
  };
  for (const [p, carried] of lineage) {
    if (!(await serves(p)) && (await positionOf(p)) >= head) await generations.complete(p);
    if (generations.isComplete(p)) serving.set(p, p);
    for (const earlier of carried) if (!serving.has(p) && (await serves(earlier))) serving.set(p, earlier);
  }
  const projections = [...lineage.keys()];
  return {
    kept: [...new Set([...projections, ...serving.values()])],
    serving: p => serving.get(p) ?? p,
    incomplete: () => projections.filter(p => serving.get(p) !== p),
    unserved: () => projections.filter(p => !serving.has(p)),
    serve: p => void serving.set(p, p),
  };
}
