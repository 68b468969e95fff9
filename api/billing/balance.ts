import { availableIn, endOf, thresholdOf, type Account } from '../../domain/billing/account.js';
import { creditsText } from '../../domain/billing/amounts.js';
import { planIn, type Plans } from '../../domain/billing/plans.js';
import { iso } from '../../domain/time.js';
import { object } from '../../json-schema.js';
import { row, type Row } from '../edge/row.js';
import { accountOf, common, type BillingDeps } from './deps.js';
import * as schemas from './schemas.js';

const answer = object({
  data: object({
    credits: { ...schemas.credits, description: 'All that is there, also what is held' },
    held: { ...schemas.credits, description: 'Kept for work under way' },
    available: { ...schemas.credits, description: 'What may be spent: `credits` - `held`' },
    currency: { const: 'credits' },
    plan: schemas.planSchema,
    low_balance_threshold: { ...schemas.credits, description: 'Below so many `credits` the balance is low' },
    as_of: schemas.time,
  }),
});

/** What the organization of a workspace has. */
export const balanceRow = (deps: BillingDeps): Row =>
  row({
    ...common,
    path: '/v1/billing/balance',
    operation: 'getBalance',
    summary: 'What there is to spend',
    description: 'Credits belong to the organization, and all of its workspaces spend them.',
    answers: { 200: { description: 'The balance, in exact thousandths', schema: answer } },
    async run({ workspace }) {
      const at = deps.clock();
      const account = await accountOf(deps, await deps.organizationOf(workspace), at);
      return { body: { data: view(account, deps.plans, at) } };
    },
  });

const view = (account: Account, plans: Plans, at: number) => ({
  credits: creditsText(account.credits),
  held: creditsText(account.held),
  available: creditsText(availableIn(account)),
  currency: 'credits',
  plan: {
    id: account.plan,
    // A plan may have left the table since it was given
    name: planIn(plans, account.plan)?.name ?? account.plan,
    renews_at: iso(endOf(account.period)),
  },
  low_balance_threshold: creditsText(thresholdOf(account)),
  as_of: iso(at),
});
