import { marketplaceProjection } from '../projections/marketplace/projection.js';
import { pipelinesProjection } from '../projections/pipelines/projection.js';
import { segmentsProjection } from '../projections/segments/projection.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { signalName } from '../workers/new-points.js';
import type { Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';
import type { SegmentsArea } from './segments.js';
import type { SignalsArea } from './signals.js';

type On = {
  readonly marketplace: Pick<MarketplaceArea, 'queries'>;
  readonly signals: Pick<SignalsArea, 'queries'>;
  readonly segments: Pick<SegmentsArea, 'queries'>;
};

/** Read models that new points are counted by. */
const COUNTED_BY = [pipelinesProjection, segmentsProjection, signalsProjection, marketplaceProjection];
/** Whoever counts waits so long for them before it tries again. */
const WAITS_MS = 5_000;

/** Waits for what points are counted by; resolves true when all of it holds the fact at a position. */
export const countedUpTo =
  ({ caughtUp }: Pick<Kernel, 'caughtUp'>) =>
  async (position: number): Promise<boolean> => {
    const held = await Promise.all(COUNTED_BY.map(each => caughtUp(each, position, WAITS_MS)));
    return held.every(Boolean);
  };

/** Entities of a base that are counted, at most. */
const MOST_ENTITIES = 10_000;

/** Points of a segment's target and inputs, by name and of the entities where it has such. */
export const pointsIn =
  ({ segments, signals, marketplace }: On) =>
  async (workspace: string, segmentId: string) => {
    const doc = await segments.queries.segment(workspace, segmentId);
    let rows = 0;
    let lastAt: number | null = null;
    const counted: string[] = [];
    const add = (signal: { readonly count: number; readonly recorded_at: number } | null): void => {
      if (!signal) return;
      rows += signal.count;
      lastAt = Math.max(lastAt ?? -Infinity, signal.recorded_at);
    };
    const { target = '', inputs = [], entity_mode = 'single' } = doc?.recipe ?? {};
    for (const key of new Set([target, ...inputs.map(input => input.key)])) {
      const place = await marketplace.queries.resolve(workspace, 'signal', key);
      if (!place) continue;
      counted.push(signalName(place.workspace, place.key));
      add(await signals.queries.signal(place.workspace, place.key));
      if (entity_mode === 'per_entity')
        for (const each of await signals.queries.entities(place.workspace, place.key, MOST_ENTITIES))
          add(each);
    }
    return { rows, lastAt, signals: counted };
  };
