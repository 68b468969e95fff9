import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import type { BlueprintRated } from './facts.js';

/** `by`: uid of who rates. `stars`: 1 to 5. */
export type RateBlueprint = Message<
  'RateBlueprint',
  { readonly uid: string; readonly by: string; readonly stars: number }
>;

/** One person's opinion of one blueprint; the newest counts. State: the stars; null: none yet. */
export const ratings: Decider<RateBlueprint, BlueprintRated, number | null> = {
  category: 'rating',
  idOf: ({ data }) => `${data.by}.${data.uid}`,
  initialState: null,
  decide: ({ data }, before) =>
    data.stars === before ? [] : [{ type: 'BlueprintRated', data: { ...data, before } }],
  evolve: (_before, { data }) => data.stars,
};
