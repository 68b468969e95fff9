import type { EventTookEffect } from '../../domain/shocks/effects.js';
import type { Episode } from '../../domain/shocks/episode.js';
import type { BlendKept, BlendRefitted } from '../../domain/shocks/facts.js';
import type { ShockState } from '../../domain/shocks/state.js';

// All times are epoch ms.

/** Shocks of a goal as they stand. `open`: one is not over. */
export type ShockDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly goal_id: string;
  readonly open: boolean;
  readonly state: ShockState;
};

/** When weights were looked at, and what came of it. */
export type RefitDoc = Omit<BlendRefitted['data'] | BlendKept['data'], 'goalId' | 'episodeId'> & {
  readonly at: number;
  readonly changed: boolean;
};

export type EpisodeDoc = {
  readonly _id: string;
  readonly goal: string;
  readonly episode_id: string;
  readonly since: number;
  readonly episode: Episode;
  readonly refits: readonly RefitDoc[];
};

/** What an event did to goals, in the order in which it did. */
export type EffectsDoc = {
  readonly _id: string;
  readonly effects: readonly Omit<EventTookEffect['data'], 'eventId'>[];
};

export const effectsDocId = (workspace: string, eventId: string): string => `${workspace}/${eventId}`;
export const shockDocId = (workspace: string, goalId: string): string => `${workspace}/${goalId}`;
export const episodeDocId = (workspace: string, goalId: string, episodeId: string): string =>
  `${shockDocId(workspace, goalId)}/${episodeId}`;
