import { itself, type FeatureMaker } from '../columns.js';
import { expression } from '../expression/evaluate.js';
import type { FeatureKind, FeatureKinds } from '../recipe.js';
import { calendar, fourier, holiday } from './calendar.js';
import { ewm } from './ewm.js';
import { interaction, ratio } from './products.js';
import { rolling } from './rolling.js';
import { diff, lag } from './shift.js';

/** No response is validated yet, and `checkRecipe` lets none pass that is not. */
const eventResponse: FeatureMaker<FeatureKinds['event_response']> = {
  names: itself,
  needs: () => [],
  machine({ stream }) {
    throw new Error(`No response to ${stream} is validated`);
  },
};

export const kinds: { readonly [K in FeatureKind]: FeatureMaker<FeatureKinds[K]> } = {
  ...{ lag, diff, rolling, ewm, calendar, fourier, holiday, ratio, interaction, expression },
  event_response: eventResponse,
};
