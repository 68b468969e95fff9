import { createHash } from 'node:crypto';
import { isBlank, type Profile } from '../domain/events/scoring.js';
import { entityOf } from '../domain/maths/series/units.js';
import { eventsProjection } from '../projections/events/projection.js';
import { eventQueries } from '../projections/events/queries.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { goalQueries } from '../projections/goals/queries.js';
import type { Directory } from '../projections/identity/directory.js';
import { remembering } from '../projections/identity/remembering.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { signalQueries } from '../projections/signals/queries.js';
import type { Kernel } from './kernel.js';

/** More say less: each further name is close to some text of anybody's. */
const MOST = { streams: 16, signals: 16, goals: 8 };
/** Of which the goals are taken: those of a fleet forecast the same. */
const GOALS_READ = 64;
/** What is new is known after a minute, so that a flood of events looks nothing up. */
const MEMORY = { ttlMs: 60_000, size: 20_000, letters: 16 * 1024 * 1024 };

type Names = Required<Pick<Profile, 'names' | 'targets'>>;

/**
 * What a workspace is about, which weighs in the relevance of its events: its domain terms, and names of its
 * own streams, signals and goals.
 */
export const profilesOf = (
  kernel: Pick<Kernel, 'read' | 'clock'>,
  who: { readonly directory: Directory },
) => {
  const { read, clock } = kernel;
  const events = eventQueries(read(eventsProjection));
  const signals = signalQueries(read(signalsProjection));
  const goals = goalQueries(read(goalsProjection));
  const memory = remembering<Names>({ ...MEMORY, clock });

  const namesOf = async (workspace: string): Promise<Names> => {
    const [streams, ofSignals, found] = await Promise.all([
      events.streamNames(workspace, MOST.streams),
      signals.names(workspace, MOST.signals),
      goals.names(workspace, GOALS_READ),
    ]);
    const single = found.filter(goal => goal.fleet_id === null).map(({ name }) => name);
    const targets = distinct(found.map(({ target }) => entityOf(target)?.base ?? target));
    return {
      names: distinct([...streams.map(({ key, name }) => name ?? key), ...ofSignals, ...first(single)]),
      targets: first(targets),
    };
  };

  return async (workspace: string): Promise<Profile> => {
    const [known, names] = await Promise.all([
      who.directory.workspace(workspace),
      memory.get(workspace, namesOf),
    ]);
    return versioned({ description: '', phrases: [...(known?.domainTerms ?? [])], ...names });
  };
};

const distinct = (names: readonly string[]): string[] => [...new Set(names)];
const first = (names: readonly string[]): string[] => distinct(names).slice(0, MOST.goals);

/** Of a profile of terms alone the version is what it was before there were names. */
function versioned(profile: Omit<Profile, 'version'>): Profile {
  const { phrases, names, targets } = profile;
  const termsAlone = isBlank({ ...profile, version: '', phrases: [] });
  const said = JSON.stringify(termsAlone ? phrases : [phrases, names, targets]);
  return { ...profile, version: createHash('sha256').update(said).digest('hex').slice(0, 8) };
}
