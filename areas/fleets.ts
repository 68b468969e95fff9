import type { Beside } from '../api/goals/deps.js';
import { fleetRows } from '../api/fleets/rows.js';
import { standingOf } from '../api/fleets/views.js';
import { addedUp, type AddedUp } from '../commands/fleets/adding-up.js';
import { fleetCommands } from '../commands/fleets/records.js';
import { fleetFrames } from '../domain/fleets/frames.js';
import type { Leaf } from '../domain/fleets/window.js';
import { entityOf } from '../domain/maths/series/units.js';
import type { FleetDoc } from '../projections/fleets/documents.js';
import { fleetsProjection } from '../projections/fleets/projection.js';
import { fleetQueries } from '../projections/fleets/queries.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { fleetWork } from '../workers/fleets.js';
import { area } from './area.js';
import type { ForecastsArea } from './forecasts.js';
import type { GoalsArea } from './goals.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import type { SegmentsArea } from './segments.js';
import type { SignalsArea } from './signals.js';

type On = {
  readonly identity: IdentityArea;
  readonly signals: SignalsArea;
  readonly segments: SegmentsArea;
  readonly goals: GoalsArea;
  readonly forecasts: ForecastsArea;
  readonly hasPipeline: (workspace: string, pipelineId: string) => Promise<boolean>;
  readonly beside: Beside;
};

/** Entities of a base that are looked at. */
const MOST_ENTITIES = 10_000;
/** The work waits so long for the read models before it looks again. */
const WAITS_MS = 5_000;

/** Goals of the same kind, one for each entity of a base, and what they forecast together. */
export const fleetsArea = (kernel: Kernel, on: On) => {
  const { handle, tryOut, load, read, clock, newId, log, stores, visibleIn } = kernel;
  const { identity, signals, segments, goals, hasPipeline, beside } = on;
  const queries = fleetQueries(read(fleetsProjection));
  const commands = fleetCommands({ handle, load });
  const visible = visibleIn(fleetsProjection, goalsProjection);
  const entities = async (workspace: string, base: string) =>
    (await signals.queries.entities(workspace, base, MOST_ENTITIES)).map(({ key, count }) => ({
      ...{ entity: entityOf(key)!.entity, points: count },
    }));
  const { quota, activationPrice, targetOf } = goals;
  return area({
    name: 'fleets',
    frames: {
      of: fleetFrames(async (workspace, fleetId) => standingOf(await queries.fleet(workspace, fleetId))),
      shown: visible,
    },
    schedulers: {
      fleets: () =>
        fleetWork({
          ...{ queries, commands, entities, quota, clock, newId, visible, log },
          ...{ goals: goals.commands, ofFleet: goals.queries.ofFleet, target: targetOf },
          isArchived: async workspace => (await identity.directory.workspace(workspace))?.archivedAt !== null,
          upToDate: async () => kernel.caughtUp(goalsProjection, await stores.events.head(), WAITS_MS),
        }),
    },
    rows: fleetRows({
      ...{ commands, queries, entities, quota, activationPrice, beside, hasPipeline, clock, visible },
      tried: fleetCommands({ handle: tryOut, load }),
      goals: goals.queries,
      forecast: rememberedBy(kernel, on),
      hasSegment: async (workspace, segmentId) =>
        (await segments.queries.segment(workspace, segmentId)) !== null,
    }),
  });
};

/** Fleets whose newest forecasts are kept at hand. */
const REMEMBERED = 8;

/** Forecasts of fleets: made when they are read first, and again when goals were forecast since. */
function rememberedBy({ compute }: Kernel, { goals, forecasts }: On) {
  const kept = new Map<string, { readonly of: string; readonly made: Promise<AddedUp | null> }>();
  return async (doc: FleetDoc): Promise<AddedUp | null> => {
    const leaves = await leavesOf({ goals, forecasts }, doc);
    const { reconciliation } = doc.state.settings;
    const of = JSON.stringify([reconciliation, leaves.map(leaf => leaf.issued?.forecastId ?? leaf.goalId)]);
    const known = kept.get(doc._id);
    kept.delete(doc._id);
    if (known?.of === of) {
      kept.set(doc._id, known);
      return known.made;
    }
    const never = new AbortController().signal;
    const deps = { ...forecasts, compute };
    const made = addedUp(deps, doc.workspace, doc.state.settings, leaves, never);
    kept.set(doc._id, { of, made });
    if (kept.size > REMEMBERED) kept.delete(kept.keys().next().value!);
    // What failed is tried again by the next who asks
    made.catch(() => kept.get(doc._id)?.made === made && kept.delete(doc._id));
    return made;
  };
}

async function leavesOf({ goals, forecasts }: Pick<On, 'goals' | 'forecasts'>, doc: FleetDoc) {
  const { workspace, fleet_id: fleetId } = doc;
  const found: Leaf[] = [];
  for await (const page of goals.queries.ofFleet(workspace, fleetId)) {
    const live = page.filter(({ status }) => status !== 'archived');
    const ids = live.map(({ goal_id }) => goal_id);
    const newest = await forecasts.queries.newestOf(workspace, ids);
    for (const { goal_id: goalId, target, state } of live)
      found.push({
        ...{ entity: entityOf(target)?.entity ?? target, goalId, settings: state.settings },
        issued: newest.get(goalId)?.issued ?? null,
      });
  }
  return found;
}
