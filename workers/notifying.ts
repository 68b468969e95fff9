import type { Context } from '../commands/engine/handle.js';
import type { NotificationCommands, Recipient } from '../commands/notifications.js';
import type { Fact } from '../domain/fact.js';
import type { MemberRemoved, MemberRoleChanged } from '../domain/groups/facts.js';
import { roleReaches } from '../domain/groups/roles.js';
import { LOOKS_AFTER } from '../domain/notifications/belonging.js';
import type { Audience, Notice, Notices } from '../domain/notifications/notice.js';
import type { UserRegistered } from '../domain/users/facts.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { Reactor } from './engine/reactor.js';

export type Awaiting = { readonly notice: Notice; readonly at: number };
type Notifying = {
  /** Of all areas. */
  readonly notices: readonly Notices[];
  readonly commands: Pick<NotificationCommands, 'tell' | 'forget'>;
  /** A notice with the names of what it speaks of. */
  readonly named: (notice: Notice) => Promise<Notice>;
  readonly recipients: (to: Audience) => AsyncIterable<readonly Recipient[]>;
  /** What somebody who comes with an address is told of at once, and when that happened, epoch ms. */
  readonly awaiting: (email: string, now: number) => Promise<readonly Awaiting[]>;
  /** Resolves true when the documents of recipients and names hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
};

/**
 * Tells people of facts, as the areas' notices say it, and takes from those who leave a workspace or an
 * organization, or no longer look after it, what they were told of it. Each inbox knows what it was told of:
 * a fact that is seen again raises nothing twice.
 */
export function notifying({ notices, commands, named, recipients, awaiting, caughtUp }: Notifying): Reactor {
  const tell = async (fact: Fact, context: Context): Promise<void> => {
    const those = notices.flatMap(each => each[fact.type]?.(fact as Fact<never>) ?? []);
    if (those.length === 0) return;
    await known(fact);
    for (const notice of those) await tellOf(notice, fact, fact.at, context);
  };
  const known = async ({ position }: Fact): Promise<void> => {
    if (!(await caughtUp(position)))
      throw new ReadModelsBehind(`the read models do not hold ${position} yet`);
  };
  const tellOf = async (notice: Notice, { id, position }: Fact, at: number, context: Context) => {
    const cause = { id: `${notice.once ?? id}/${notice.kind}`, at, position };
    await commands.tell(await named(notice), cause, recipients(notice.to), context);
  };
  const types = new Set(notices.flatMap(each => Object.keys(each)));
  return {
    name: 'notifying',
    concurrency: 4,
    on: {
      ...Object.fromEntries([...types].map(type => [type, tell])),
      async MemberRemoved(fact: Fact<MemberRemoved>, context) {
        await tell(fact, context);
        await commands.forget(fact.data.uid, fact.data, fact, context);
      },
      async UserRegistered(fact: Fact<UserRegistered>, context) {
        if (!fact.data.personal) return;
        await known(fact);
        for (const { notice, at } of await awaiting(fact.data.personal.email, context.at))
          await tellOf(notice, fact, at, context);
      },
      // What is told of this very change comes behind what goes by it
      async MemberRoleChanged(fact: Fact<MemberRoleChanged>, context) {
        const { kind, uid, role } = fact.data;
        if (kind === 'organization' && !roleReaches(role, LOOKS_AFTER))
          await commands.forget(uid, fact.data, fact, context);
        await tell(fact, context);
      },
    },
  };
}
