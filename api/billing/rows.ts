import type { Row } from '../edge/row.js';
import { balanceRow } from './balance.js';
import type { BillingDeps } from './deps.js';
import { estimatesRow } from './estimates.js';
import { ledgerRow } from './ledger.js';
import { ratesRow } from './rates.js';
import { settingsRows } from './settings.js';

/** Credits of an organization: spec 4.10, open-parts 23, 32.16, 32.36. */
export const billingRows = (deps: BillingDeps): Row[] => [
  balanceRow(deps),
  ledgerRow(deps),
  ratesRow(deps),
  estimatesRow(deps),
  ...settingsRows(deps),
];
