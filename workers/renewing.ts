import type { LedgerCommands } from '../commands/billing.js';
import type { Log } from '../commands/ports/log.js';
import { monthOf } from '../domain/billing/account.js';
import type { Plans } from '../domain/billing/plans.js';
import type { LedgerQueries } from '../projections/billing/queries.js';
import { rounds } from './engine/rounds.js';
import type { Running } from './engine/follow.js';

type Deps = {
  readonly queries: Pick<LedgerQueries, 'ungranted'>;
  readonly commands: Pick<LedgerCommands, 'renew'>;
  readonly plans: Plans;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: Log;
};

/** A month is granted for so soon after it has begun, or after a start. */
const EVERY_MS = 1_000;

/** Grants each organization the credits of its plan, month by month (UTC); the ledger has the last word. */
export const renewing = ({ queries, commands, plans, clock, newId, log }: Deps): Running =>
  rounds(EVERY_MS, log, 'plans were not renewed; tried again', async goesOn => {
    const at = clock();
    for await (const page of queries.ungranted(monthOf(at)))
      for (const { _id: organizationId } of page) {
        if (!goesOn()) return;
        const context = {
          ...{ workspace: null, actor: 'scheduler:renewals', request: null },
          ...{ correlation: newId(), causation: null, at },
        };
        await commands
          .renew(organizationId, plans, context)
          .catch((err: unknown) =>
            log.error({ err, organization: organizationId }, 'a plan was not renewed; tried again'),
          );
      }
  });
