import type { FinishErasure } from '../commands/erasure.js';
import type { GroupCommands } from '../commands/groups.js';
import { apiTokens } from '../domain/tokens/decider.js';
import type { ApiTokenIssued } from '../domain/tokens/facts.js';
import type { Fact } from '../domain/fact.js';
import type {
  InvitationAccepted,
  InvitationDeclined,
  InvitationRevoked,
  MemberAdded,
} from '../domain/groups/facts.js';
import { users } from '../domain/users/decider.js';
import type { UserErased } from '../domain/users/facts.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { ReactorDeps, Reactor } from './engine/reactor.js';

type Erasure = {
  readonly finishErasure: FinishErasure;
  /** Whether the read models of identities hold the fact at a position, within a bounded time. */
  readonly caughtUp: (position: number) => Promise<boolean>;
  /** Throws away the key of an invitation. */
  readonly retire: (invitationId: string) => Promise<void>;
  readonly groups: Pick<GroupCommands, 'forgetMember'>;
};

/**
 * Finishes the erasure of users whatever crashed on the way. A token or a membership that was on its way into
 * the log when its user was erased ends as well. The address of an invitation is thrown away when it is
 * closed: nobody needs it any more.
 */
export const erasure = ({ finishErasure, caughtUp, retire, groups }: Erasure): Reactor => {
  const isErased = async (uid: string, { load }: ReactorDeps): Promise<boolean> =>
    (await load(users, uid)).status === 'erased';
  const closed = async ({
    data: { invitationId },
  }: Fact<InvitationAccepted | InvitationDeclined | InvitationRevoked>) => retire(invitationId);
  return {
    name: 'erasure',
    concurrency: 4,
    on: {
      UserErased: async ({ data: { uid }, position }: Fact<UserErased>, context) => {
        if (!(await caughtUp(position)) || !(await finishErasure(uid, context)))
          throw new ReadModelsBehind(`the read models do not hold the erasure of ${uid} yet`);
      },
      ApiTokenIssued: async ({ data: { uid, tokenId } }: Fact<ApiTokenIssued>, context, deps) => {
        if (await isErased(uid, deps))
          await deps.handle(apiTokens, { type: 'RevokeApiToken', data: { uid, tokenId } }, context);
      },
      MemberAdded: async ({ data: { kind, groupId, uid } }: Fact<MemberAdded>, context, deps) => {
        if (await isErased(uid, deps)) await groups.forgetMember(kind, groupId, uid, context);
      },
      InvitationAccepted: closed,
      InvitationDeclined: closed,
      InvitationRevoked: closed,
    },
  };
};
