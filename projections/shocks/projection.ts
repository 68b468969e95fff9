import type { Fact } from '../../domain/fact.js';
import type { GoalDeleted } from '../../domain/goals/facts.js';
import type { EventTookEffect } from '../../domain/shocks/effects.js';
import { episodeAfter } from '../../domain/shocks/episode.js';
import type { ShockFact } from '../../domain/shocks/facts.js';
import { evolve, initialState } from '../../domain/shocks/state.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import {
  effectsDocId,
  episodeDocId,
  shockDocId,
  type EffectsDoc,
  type EpisodeDoc,
  type RefitDoc,
  type ShockDoc,
} from './documents.js';

type Docs = { event_effects: EffectsDoc; shock_episodes: EpisodeDoc; shocks: ShockDoc };
type Told = ShockFact | EventTookEffect | GoalDeleted;
const eventOf = ({ data, meta }: Fact<Told>): string | null =>
  'occurredAt' in data ? effectsDocId(meta.workspace!, data.eventId) : null;

const goalOf = ({ data, meta }: Fact<Told>): string => shockDocId(meta.workspace!, data.goalId);
const episodeOf = ({ data, meta }: Fact<Told>): string | null =>
  'episodeId' in data ? episodeDocId(meta.workspace!, data.goalId, data.episodeId) : null;

function became({ shocks, shock_episodes: known }: Before<Docs>, fact: Fact<ShockFact>): After<Docs> {
  // Of a goal that has gone nothing is kept
  if (!shocks && fact.type !== 'ShockEntered') return {};
  const state = evolve(shocks?.state ?? initialState, fact);
  const { goalId, episodeId } = fact.data;
  const episode = episodeAfter(known?.episode ?? null, fact);
  return {
    shocks: {
      _id: goalOf(fact),
      ...{ workspace: fact.meta.workspace!, goal_id: goalId, open: state.episode !== null, state },
    },
    ...(episode && {
      shock_episodes: {
        _id: episodeOf(fact)!,
        ...{ goal: goalOf(fact), episode_id: episodeId, since: episode.since, episode },
        refits: [...(known?.refits ?? []), ...refitsIn(fact)],
      },
    }),
  };
}

function refitsIn(fact: Fact<ShockFact>): RefitDoc[] {
  if (fact.type !== 'BlendRefitted' && fact.type !== 'BlendKept') return [];
  const { phase, before, after, evidence } = fact.data;
  return [{ phase, before, after, evidence, at: fact.at, changed: fact.type === 'BlendRefitted' }];
}

const types = [
  ...(['ShockEntered', 'ShockDeepened', 'ShockRecovering', 'ShockCauseRemoved'] as const),
  ...(['ShockExited', 'ShockStepsGraded', 'BlendRefitted', 'BlendKept'] as const),
] as const satisfies readonly ShockFact['type'][];

/** Shocks of goals, those that are over included. */
export const shocksProjection: Projection = projection<Docs, Told>({
  name: 'shocks',
  version: 1,
  collections: {
    event_effects: { indexes: [], idOf: eventOf },
    shock_episodes: { indexes: [['goal', 'since', '_id']], idOf: episodeOf },
    shocks: { indexes: [['open', '_id']], idOf: goalOf },
  },
  on: {
    ...Object.fromEntries(types.map(type => [type, became])),
    EventTookEffect: ({ event_effects: before }, fact) => {
      const { eventId: _, ...effect } = fact.data;
      const effects = [...(before?.effects ?? []), effect];
      return { event_effects: { _id: eventOf(fact)!, effects } };
    },
    GoalDeleted: () => ({ shocks: null }),
  },
  sweeps: { GoalDeleted: fact => ({ shock_episodes: { goal: goalOf(fact) } }) },
});
