import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import type { NotificationCommands, Recipient } from '../commands/notifications.js';
import type { Audience, Notice } from '../domain/notifications/notice.js';
import { DAY, iso, SECOND } from '../domain/time.js';
import type { TokenDoc } from '../projections/identity/documents.js';
import type { AccountQueries } from '../projections/identity/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = {
  readonly accounts: Pick<AccountQueries, 'tokensEnding'>;
  readonly commands: Pick<NotificationCommands, 'tell'>;
  readonly recipients: (to: Audience) => AsyncIterable<readonly Recipient[]>;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: Log;
};

const EVERY_MS = 5 * SECOND;
/** Owners are told so many days before their token ends; after a late start, of what ends soonest, once. */
const DAYS_BEFORE = [
  { days: 7, until: 1 },
  { days: 1, until: 0 },
];

/**
 * Tells people that a token of theirs ends soon. A token that was made for less than that is not spoken of.
 * After a start all that end soon are told once more, which changes nothing.
 */
export function expiringTokens(deps: Deps): Running {
  const { accounts, commands, recipients, clock } = deps;
  /** By days before: tokens that end up to this time were told. */
  const toldUpTo = new Map<number, number>();

  const told = async (token: TokenDoc, days: number): Promise<void> => {
    const at = token.ends_at - days * DAY;
    if (token.issued_at >= at) return;
    const notice = noticeOf(token, days);
    const cause = { id: notice.groupKey, at, position: null };
    await commands.tell(notice, cause, recipients(notice.to), contextOf(deps));
  };
  return rounds(
    EVERY_MS,
    deps.log,
    'not everybody was told of a token that ends; tried again',
    async goesOn => {
      const now = clock();
      for (const { days, until } of DAYS_BEFORE) {
        const upTo = now + days * DAY;
        for await (const page of accounts.tokensEnding(toldUpTo.get(days) ?? now + until * DAY, upTo))
          for (const token of page) if (goesOn()) await told(token, days);
        if (goesOn()) toldUpTo.set(days, upTo);
      }
    },
  );
}

function noticeOf({ token_id, name, uid, ends_at }: TokenDoc, days: number): Notice {
  return {
    kind: 'token.expiring',
    to: { uid, workspace: null },
    goalId: null,
    data: { token_id, name, expires_at: iso(ends_at), days },
    groupKey: `token.expiring/${token_id}/${days}`,
  };
}

const contextOf = ({ clock, newId }: Deps): Context => ({
  workspace: null,
  actor: 'scheduler:expiring_tokens',
  request: null,
  correlation: newId(),
  causation: null,
  at: clock(),
});
