import { monthOf } from '../domain/billing/account.js';
import type { GrantCredits, LedgerCommand, ReleaseHold } from '../domain/billing/commands.js';
import type { For, Millicredits, Price, Reference } from '../domain/billing/credits.js';
import type { LedgerFact, Metered, PlanTerms } from '../domain/billing/facts.js';
import type { Plans } from '../domain/billing/plans.js';
import { ledgers, type LedgerState } from '../domain/billing/ledger.js';
import type { Context, KnownState, Outcome } from './engine/handle.js';
import type { Together } from './engine/together.js';

type Deps = {
  readonly together: Together;
  /** How a ledger stands as far as read models know; null: they know of none. */
  readonly known: (organizationId: string) => Promise<KnownState<LedgerState> | null>;
  /** The plan that ledgers are opened with. */
  readonly terms: PlanTerms;
};
type Grant = Pick<GrantCredits['data'], 'amount' | 'reason' | 'note' | 'period'>;
type Written = Promise<Outcome<LedgerFact, LedgerState>>;
export type LedgerCommands = ReturnType<typeof ledgerCommands>;

/** What is written of organizations' credits. A ledger that is not there yet is opened on the way. */
export function ledgerCommands({ together, known, terms }: Deps) {
  const { handle, stands, settled } = together(ledgers, known);
  const opening = (organizationId: string, { at }: Context) => ({
    organizationId,
    terms: { ...terms, period: monthOf(at) },
  });
  const give = (command: LedgerCommand, context: Context): Written => handle(command, context);

  return {
    open: (organizationId: string, context: Context): Written =>
      give({ type: 'OpenLedger', data: opening(organizationId, context) }, context),

    /** What the plan grants for the month beyond what was granted is there at once. */
    changePlan: (organizationId: string, to: PlanTerms, context: Context): Written =>
      give({ type: 'ChangePlan', data: { ...opening(organizationId, context), to } }, context),

    /** Grants what the plan grants for each month that has begun and is not granted yet. */
    renew: (organizationId: string, plans: Plans, context: Context): Written =>
      give(
        {
          type: 'RenewPlan',
          data: { ...opening(organizationId, context), plans, month: monthOf(context.at) },
        },
        context,
      ),

    /** A grant for a month is made once. @throws Rejected 400 for more than can be had */
    grant: (organizationId: string, grant: Grant, context: Context): Written =>
      give({ type: 'GrantCredits', data: { ...opening(organizationId, context), ...grant } }, context),

    /** @throws Rejected 402 for less than is available, 400 for more than can be had */
    adjust: (
      organizationId: string,
      adjustment: { readonly amount: Millicredits; readonly note: string | null },
      context: Context,
    ): Written =>
      give({ type: 'AdjustCredits', data: { ...opening(organizationId, context), ...adjustment } }, context),

    /** Keeps credits for work that begins. @throws Rejected 402 */
    hold: (organizationId: string, work: For, context: Context): Written =>
      give({ type: 'HoldCredits', data: { ...opening(organizationId, context), ...work } }, context),

    /**
     * Held and charged in one, for work that is done; `keep` begins to keep what came of it in the same turn.
     * @throws Rejected 402
     */
    pay: (organizationId: string, work: For, context: Context, keep: () => void): Written =>
      handle({ type: 'PayCredits', data: { ...opening(organizationId, context), ...work } }, context, keep),

    /**
     * Ends a hold with a charge, of all that was held or of what was `used`. Does nothing where there is no
     * hold. @throws Rejected 402 for more than was held that is not there
     */
    charge: (organizationId: string, reference: Reference, used: Price | null, context: Context): Written =>
      give({ type: 'ChargeHold', data: { organizationId, reference, used } }, context),

    /** Gives a hold back. Does nothing where there is none. */
    release: (
      organizationId: string,
      reference: Reference,
      reason: ReleaseHold['data']['reason'],
      context: Context,
    ): Written => give({ type: 'ReleaseHold', data: { organizationId, reference, reason } }, context),

    /** Charges what was used by the hour, once up to each time. @throws Rejected 402 */
    chargeMetered: (organizationId: string, work: For, metered: Metered, context: Context): Written =>
      give(
        { type: 'ChargeMetered', data: { ...opening(organizationId, context), ...work, metered } },
        context,
      ),

    /**
     * Null: a tenth of the plan's credits. `seen`: the version of the settings that is meant; null:
     * whichever. @throws Rejected 409
     */
    setLowBalance: (
      organizationId: string,
      threshold: Millicredits | null,
      seen: number | null,
      context: Context,
    ): Written =>
      give(
        { type: 'SetLowBalance', data: { ...opening(organizationId, context), threshold, seen } },
        context,
      ),

    /** How a ledger stands as far as this process knows; null: it was not written to here of late. */
    stands: (organizationId: string): LedgerState | null => stands(organizationId)?.state ?? null,
    /** Waits for what is being written to a ledger; answers the position of its last fact known here. */
    settled,
  };
}
