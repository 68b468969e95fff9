import type { Row } from '../edge/row.js';
import { places, type AlertDeps } from './deps.js';
import { instanceRows } from './instances.js';
import { itemRows, listRows } from './rules.js';

/** Alerts of goals and of workspaces: open-parts 19. */
export const alertRows = (deps: AlertDeps): Row[] =>
  places.flatMap(place => [...listRows(deps, place), ...itemRows(deps, place), ...instanceRows(deps, place)]);
