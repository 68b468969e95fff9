import { Rejected } from '../rejected.js';

export const episodeNotFound = (episodeId: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no shock ${episodeId}`, { episode_id: episodeId });

export const notInShock = (state: 'normal' | 'recovering'): Rejected =>
  new Rejected('conflict', 'invalid_state', `The goal is ${state}: there is no shock to leave`, {
    shock_state: state,
  });
