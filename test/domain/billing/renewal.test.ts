import * as assert from 'uvu/assert';
import { monthsBehind } from '../../../domain/billing/account.js';
import type { LedgerCommand } from '../../../domain/billing/commands.js';
import type { LedgerFact, PlanTerms } from '../../../domain/billing/facts.js';
import { ledgers, type LedgerState } from '../../../domain/billing/ledger.js';
import { limitedTo, type Plans } from '../../../domain/billing/plans.js';
import { suite } from '../../suite.js';

const organizationId = 'org_1';
const terms = { plan: 'free', plansVersion: '1', credits: 1_000, period: '2026-03' };
const opening = { organizationId, terms };
const plansOf = (version: string, free: number): Plans => ({
  version,
  plans: [{ id: 'free', name: 'Free', credits: free, limits: limitedTo({}) }],
});

/** What commands lead to, one after the other, as short lines. */
function ledger() {
  let state: LedgerState = ledgers.initialState;
  return {
    does(command: LedgerCommand): string[] {
      const decided = ledgers.decide(command, state);
      const meta = { workspace: null, actor: 'a', request: null, correlation: 'c', causation: null };
      for (const fact of decided) state = ledgers.evolve(state, { id: 'f', at: 0, meta, ...fact });
      return decided.map(line);
    },
    credits: () => state.account!.credits,
  };
}
const line = ({ type, data }: LedgerFact): string => {
  if (type === 'CreditsGranted') return `${data.period} ${data.amount}`;
  return type === 'PlanChanged' ? `${data.plan} ${data.plansVersion} ${data.credits}` : type;
};
const renew = (month: string, plans = plansOf('1', 1_000)): LedgerCommand => ({
  type: 'RenewPlan',
  data: { ...opening, plans, month },
});
const change = (plan: string, credits: number): LedgerCommand => {
  const to: PlanTerms = { plan, plansVersion: '1', credits };
  return { type: 'ChangePlan', data: { ...opening, to } };
};

suite('the renewal of plans', test => {
  test('grants once for each month that has begun', () => {
    const { does, credits } = ledger();
    assert.equal(does({ type: 'OpenLedger', data: opening }), ['LedgerOpened']);
    assert.equal(does(renew('2026-03')), []);
    assert.equal(does(renew('2026-04')), ['2026-04 1000']);
    assert.equal(does(renew('2026-04')), []);
    assert.equal(does(renew('2026-02')), []);
    assert.equal(
      does(renew('2027-01')),
      ['05', '06', '07', '08', '09', '10', '11', '12'].map(m => `2026-${m} 1000`).concat('2027-01 1000'),
    );
    assert.is(credits(), 11_000);
  });
  test('grants for a dozen months at most, whatever a clock says', () => {
    assert.equal(monthsBehind('2026-03', '2099-12').length, 12);
    assert.equal(monthsBehind('2026-03', '2099-12').at(-1), '2099-12');
  });
  test('takes the plan as it is then, and keeps one that is no more', () => {
    const { does } = ledger();
    does({ type: 'OpenLedger', data: opening });
    assert.equal(does(renew('2026-04', plansOf('2', 1_500))), ['free 2 1500', '2026-04 1500']);
    assert.equal(does(renew('2026-05', { version: '3', plans: [] })), ['2026-05 1500']);
  });
  test('a larger plan gives at once what it grants beyond what was granted for the month', () => {
    const { does, credits } = ledger();
    does({ type: 'OpenLedger', data: opening });
    assert.equal(does(change('team', 5_000)), ['team 1 5000', '2026-03 4000']);
    assert.equal(does(change('team', 5_000)), []);
    assert.equal(does(change('free', 1_000)), ['free 1 1000']);
    assert.equal(does(change('team', 5_000)), ['team 1 5000']);
    assert.is(credits(), 5_000);
    assert.equal(does(change('scale', 9_000)), ['scale 1 9000', '2026-03 4000']);
    assert.equal(does(renew('2026-04', { version: '1', plans: [] })), ['2026-04 9000']);
  });
});
