import type { Standing } from '../../domain/goals/ports.js';
import type { Credits } from '../billing/credits.js';
import type { Priced } from '../billing/max-credits.js';
import { fieldOf } from './field.js';

type Deps = { readonly standing: Standing; readonly credits: Pick<Credits, 'priceOf'> };

/** What the tournament of a goal that is activated costs at most, by what can forecast in a workspace now. */
export const activationPriceOf =
  ({ standing, credits }: Deps) =>
  async (workspace: string): Promise<Priced> => {
    const all = { champion: null, entries: null, blends: true, affordable: Infinity };
    const field = fieldOf({ ...all, standing: await standing(workspace) });
    return credits.priceOf('tournament.contestant', field.filter(({ paid }) => paid).length);
  };
