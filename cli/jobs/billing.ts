import { availableIn, endOf, type Account } from '../../domain/billing/account.js';
import { creditsText } from '../../domain/billing/amounts.js';
import type { Millicredits } from '../../domain/billing/credits.js';
import { planIn, termsOf } from '../../domain/billing/plans.js';
import type { LedgerState } from '../../domain/billing/ledger.js';
import { Rejected } from '../../domain/rejected.js';
import { iso } from '../../domain/time.js';
import type { Platform } from '../../main.js';
import type { Job } from './job.js';
import { perform, type Operations } from './operation.js';

type Of = { readonly organization: string };
export type BillingOptions =
  | (Of & { readonly what: 'grant' | 'adjust'; readonly amount: Millicredits; readonly note: string | null })
  | (Of & { readonly what: 'plan set'; readonly plan: string });

export type ShownAccount = {
  readonly organization_id: string;
  readonly plan: string;
  readonly credits: string;
  readonly held: string;
  readonly available: string;
  /** When the plan's credits are granted next, and how many. */
  readonly renews_at: string;
  readonly next_grant: string;
};

const operations: Operations<BillingOptions> = {
  async grant(platform, { organization, amount, note }, context) {
    await mustExist(platform, organization);
    const grant = { amount, note, reason: 'operator', period: null } as const;
    const { after, position } = await platform.areas.billing.commands.grant(organization, grant, context);
    return { shown: shownOf(organization, after), position };
  },
  async adjust(platform, { organization, amount, note }, context) {
    await mustExist(platform, organization);
    const { commands } = platform.areas.billing;
    const { after, position } = await commands.adjust(organization, { amount, note }, context);
    return { shown: shownOf(organization, after), position };
  },
  async 'plan set'(platform, { organization, plan: id }, context) {
    await mustExist(platform, organization);
    const { commands, plans } = platform.areas.billing;
    const plan = planIn(plans, id);
    if (!plan) throw noSuchPlan(id, plans.plans.map(each => each.id).join(', '));
    const { after, position } = await commands.changePlan(organization, termsOf(plans, plan), context);
    return { shown: shownOf(organization, after), position };
  },
};

async function mustExist({ areas }: Platform, organization: string): Promise<void> {
  const { status } = await areas.identity.groups.stateOf('organization', organization);
  if (status !== 'none') return;
  throw new Rejected('missing', 'not_found', `there is no organization ${organization}`);
}

const noSuchPlan = (id: string, ids: string): Rejected =>
  new Rejected('missing', 'not_found', `there is no plan ${id}: take one of ${ids}`);

const shownOf = (organization: string, { account }: LedgerState): ShownAccount =>
  accountText(organization, account!);

const accountText = (organization: string, account: Account): ShownAccount => ({
  organization_id: organization,
  plan: account.plan,
  credits: creditsText(account.credits),
  held: creditsText(account.held),
  available: creditsText(availableIn(account)),
  renews_at: iso(endOf(account.period)),
  next_grant: creditsText(account.planCredits),
});

export const billingJob: Job<BillingOptions> = async function* ({ platform }, options) {
  yield* perform(operations, platform, options);
};
