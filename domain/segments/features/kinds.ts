import { itself, type FeatureMaker } from '../columns.js';
import { expression } from '../expression/evaluate.js';
import type { FeatureKind, FeatureKinds } from '../recipe.js';
import { calendar, fourier, holiday } from './calendar.js';
import { ewm } from './ewm.js';
import { interaction, ratio } from './products.js';
import { rolling } from './rolling.js';
import { diff, lag } from './shift.js';

/** Its column is one of events, and is there before features are made. */
const eventResponse: FeatureMaker<FeatureKinds['event_response']> = {
  names: itself,
  needs: () => [],
  machine: () => ({ run: () => undefined }),
};

export const kinds: { readonly [K in FeatureKind]: FeatureMaker<FeatureKinds[K]> } = {
  ...{ lag, diff, rolling, ewm, calendar, fourier, holiday, ratio, interaction, expression },
  event_response: eventResponse,
};
