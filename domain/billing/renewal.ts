import { monthsBehind, type Account } from './account.js';
import type { ChangePlan, RenewPlan } from './commands.js';
import type { LedgerFact, PlanTerms } from './facts.js';
import type { Millicredits } from './credits.js';
import { planIn, termsOf } from './plans.js';

/** What the new plan grants for the month beyond what was granted is there at once. */
export function planChanged({ data: { organizationId, to } }: ChangePlan, account: Account): LedgerFact[] {
  const changed = changedTo(to, organizationId, account);
  const more = to.credits - account.planGranted;
  if (changed.length === 0 || more <= 0) return changed;
  return [...changed, planGrant(organizationId, to.plan, account.period, more)];
}

/** One grant for each month that has begun since the last. A plan that is no more grants what it did. */
export function renewed({ data }: RenewPlan, account: Account): LedgerFact[] {
  const { organizationId, plans, month } = data;
  const months = monthsBehind(account.period, month);
  if (months.length === 0) return [];
  const plan = planIn(plans, account.plan);
  const credits = plan?.credits ?? account.planCredits;
  const changed = plan ? changedTo(termsOf(plans, plan), organizationId, account) : [];
  return [...changed, ...months.map(each => planGrant(organizationId, account.plan, each, credits))];
}

function changedTo(to: PlanTerms, organizationId: string, account: Account): LedgerFact[] {
  const { plan, plansVersion, planCredits } = account;
  if (plan === to.plan && plansVersion === to.plansVersion && planCredits === to.credits) return [];
  return [{ type: 'PlanChanged', data: { organizationId, ...to } }];
}

const planGrant = (
  organizationId: string,
  plan: string,
  period: string,
  amount: Millicredits,
): LedgerFact => ({
  type: 'CreditsGranted',
  data: { organizationId, amount, reason: 'plan', note: `plan ${plan}, ${period}`, period },
});
