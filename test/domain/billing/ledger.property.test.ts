import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { availableIn } from '../../../domain/billing/account.js';
import type { Price } from '../../../domain/billing/credits.js';
import type { LedgerFact } from '../../../domain/billing/facts.js';
import type { LedgerCommand } from '../../../domain/billing/commands.js';
import { holdId, ledgers, type LedgerState } from '../../../domain/billing/ledger.js';
import { Rejected } from '../../../domain/rejected.js';
import { suite } from '../../suite.js';

const organizationId = 'org_1';
const terms = { plan: 'free', plansVersion: '1', credits: 1_000, period: '2026-03' };
const opening = { organizationId, terms };
const price = (amount: number): Price => ({ item: 'i', quantity: 1, rate: '1', ratesVersion: '1', amount });
const reference = (n: number) => ({ type: 'inference', id: `inf_${n}` });

const amount = fc.integer({ min: 0, max: 400 });
const which = fc.integer({ min: 0, max: 4 });
const command: fc.Arbitrary<LedgerCommand> = fc.oneof(
  fc.record({ amount, n: which }).map(
    (g): LedgerCommand => ({
      type: 'HoldCredits',
      data: { ...opening, price: price(g.amount), reference: reference(g.n), pipelineId: null },
    }),
  ),
  fc.record({ n: which, used: fc.option(amount) }).map(
    ({ n, used }): LedgerCommand => ({
      type: 'ChargeHold',
      data: { organizationId, reference: reference(n), used: used === null ? null : price(used) },
    }),
  ),
  which.map(
    (n): LedgerCommand => ({
      type: 'ReleaseHold',
      data: { organizationId, reference: reference(n), reason: 'failed' },
    }),
  ),
  fc.record({ amount, upTo: which }).map(
    (g): LedgerCommand => ({
      type: 'ChargeMetered',
      data: {
        ...opening,
        ...{ price: price(g.amount), reference: reference(9), pipelineId: null },
        metered: { meter: 'prm_1', upTo: g.upTo },
      },
    }),
  ),
  fc.record({ amount, month: fc.integer({ min: 1, max: 9 }), plan: fc.boolean() }).map(
    (g): LedgerCommand => ({
      type: 'GrantCredits',
      data: {
        ...opening,
        ...(g.plan ? { reason: 'plan', period: `2026-0${g.month}` } : { reason: 'operator', period: null }),
        ...{ amount: g.amount, note: null },
      },
    }),
  ),
  fc
    .integer({ min: -500, max: 500 })
    .map(
      (by): LedgerCommand => ({ type: 'AdjustCredits', data: { ...opening, amount: by, note: 'put right' } }),
    ),
);

/** What a ledger should come to, in the plainest way: lists of what was done. */
class Naive {
  granted = terms.credits;
  charged = 0;
  months = ['2026-03'];
  charges: string[] = [];
  hours: number[] = [];
  readonly holds = new Map<string, number>();
  get credits(): number {
    return this.granted - this.charged;
  }
  get available(): number {
    return this.credits - [...this.holds.values()].reduce((sum, held) => sum + held, 0);
  }

  /** Whether it may be done; then it is. */
  take({ type, data }: LedgerCommand): boolean {
    switch (type) {
      case 'HoldCredits': {
        const id = holdId(data.reference);
        if (this.holds.has(id)) return true;
        if (data.price.amount > this.available) return false;
        this.holds.set(id, data.price.amount);
        return true;
      }
      case 'ChargeHold': {
        const id = holdId(data.reference);
        const held = this.holds.get(id);
        if (held === undefined) return true;
        const used = data.used?.amount ?? held;
        if (used - held > this.available) return false;
        this.holds.delete(id);
        this.charged += used;
        return true;
      }
      case 'ReleaseHold':
        this.holds.delete(holdId(data.reference));
        return true;
      case 'ChargeMetered':
        if (this.hours.some(hour => hour >= data.metered.upTo)) return true;
        if (data.price.amount > this.available) return false;
        this.hours.push(data.metered.upTo);
        this.charged += data.price.amount;
        return true;
      case 'GrantCredits':
        if (data.period !== null && this.months.some(month => month >= data.period!)) return true;
        if (data.period !== null) this.months.push(data.period);
        this.granted += data.amount;
        return true;
      case 'AdjustCredits':
        if (-data.amount > this.available) return false;
        this.granted += data.amount;
        return true;
      default:
        throw new Error(type);
    }
  }
}

/** What a row of the ledger adds to what is available. */
const delta = ({ type, data }: LedgerFact): number => {
  if (type === 'LedgerOpened') return data.credits;
  if (type === 'CreditsGranted' || type === 'CreditsAdjusted' || type === 'HoldReleased') return data.amount;
  if (type === 'CreditsHeld' || type === 'CreditsCharged') return -data.price.amount;
  return 0;
};

suite('a ledger against a naive one', test => {
  test('allows the same, comes to the same, and never lies below zero', () =>
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), commands => {
        const naive = new Naive();
        let state: LedgerState = ledgers.initialState;
        let sum = 0;
        let lows = 0;
        for (const each of commands) {
          const before = state.account;
          let decided: readonly LedgerFact[] | null = null;
          try {
            decided = ledgers.decide(each, state);
          } catch (error) {
            assert.ok(error instanceof Rejected && error.code === 'insufficient_credits');
          }
          if (!before && decided?.length === 0) continue;
          assert.is(decided !== null, naive.take(each), each.type);
          for (const fact of decided ?? []) {
            const meta = { workspace: 'w', actor: 'a', request: null, correlation: 'c', causation: null };
            state = ledgers.evolve(state, { id: 'f', at: 0, meta, ...fact });
            sum += delta(fact);
            lows += Number(fact.type === 'BalanceRanLow');
          }
          if (!state.account) continue;
          assert.is(state.account.credits, naive.credits);
          assert.is(availableIn(state.account), naive.available);
          assert.is(sum, naive.available, 'the rows add up to what is available');
          assert.ok(naive.available >= 0 && state.account.held >= 0);
          assert.is(state.holds.size, naive.holds.size);
          for (const id of naive.holds.keys()) assert.ok(state.holds.has(id), id);
          // Low is told with the fact that makes it so, and once until it is well again
          assert.is(state.account.isLow, state.account.credits < 100);
          assert.ok(lows <= commands.length);
        }
      }),
      { numRuns: 1_000 },
    ));

  test('what is refused opens no ledger; the first that is not opens it with the plan', () => {
    const hold = (amount: number): LedgerCommand => ({
      type: 'HoldCredits',
      data: { ...opening, price: price(amount), reference: reference(1), pipelineId: null },
    });
    assert.throws(
      () => ledgers.decide(hold(1_001), ledgers.initialState),
      (error: unknown) =>
        error instanceof Rejected
        && error.kind === 'unpaid'
        && JSON.stringify(error.details) === '{"needed":"1.001","balance":"1.000"}',
    );
    const facts = ledgers.decide(hold(1_000), ledgers.initialState);
    assert.equal(
      facts.map(({ type }) => type),
      ['LedgerOpened', 'CreditsHeld'],
    );
    assert.equal(ledgers.decide({ type: 'OpenLedger', data: opening }, ledgers.initialState), [
      { type: 'LedgerOpened', data: { organizationId, ...terms } },
    ]);
  });
});
