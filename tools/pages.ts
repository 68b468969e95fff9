import type { Row } from '../api/edge/row.js';
import { configurationPage } from './configuration-page.js';
import { plansPage } from './plans-page.js';
import { scopesPage } from './scopes-page.js';

/** Pages of docs/ that are made from the code, by file name. A test holds them to it. */
export const pages: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
  'configuration.md': configurationPage,
  'plans.md': plansPage,
  'scopes.md': scopesPage,
};
