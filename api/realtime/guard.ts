import type { Log } from '../../commands/ports/log.js';
import { START, type Fact } from '../../domain/fact.js';
import type { GroupFact } from '../../domain/groups/facts.js';
import type { Role } from '../../domain/groups/roles.js';
import { Rejected } from '../../domain/rejected.js';
import type { Channel } from '../../domain/realtime/frame.js';
import type { ApiTokenFact } from '../../domain/tokens/facts.js';
import type { UserFact } from '../../domain/users/facts.js';
import { tokenRevoked, workspaceArchived } from '../edge/auth-refusals.js';
import type { Connection } from './connection.js';
import { refuse, refuseAll } from './conversation.js';
import type { Hub } from './hub.js';
import { errorFrame } from './protocol.js';
import { channelForbidden, type Rights } from './rights.js';

export type Guarding = {
  readonly hub: Hub;
  readonly rights: Rights;
  /** Resolves when who asks for rights is told what these facts made of them. */
  readonly known: (page: readonly Fact[]) => Promise<void>;
  /** The workspaces of an organization. */
  readonly workspacesOf: (organizationId: string) => Promise<readonly string[]>;
  readonly clock: () => number;
  readonly log: Log;
};
type RightsFact = ApiTokenFact | GroupFact | UserFact;
type Meaning<F> = (fact: F) => void;
export type Guard = ReturnType<typeof guard>;

/**
 * Takes away what is no longer allowed. What a fact says by itself is done at once; all whom it concerns are
 * looked at again when the read models hold it.
 */
export function guard({ hub, rights, known, workspacesOf, clock, log }: Guarding) {
  const lose = (connection: Connection, channel: Channel, refusal: Rejected): void => {
    if (!hub.leave(connection, channel)) return;
    const { code, message, details } = refusal;
    connection.send(errorFrame(code, message, null, { ...details, channel }));
    if (connection.channels.size === 0) refuseAll(connection, [refusal]);
  };
  const become = (connection: Connection, channel: Channel, role: Role | null): void => {
    const listening = connection.channels.get(channel);
    if (listening) listening.role = role;
  };
  const endToken = (tokenId: string): void =>
    hub.ofToken(tokenId).forEach(connection => refuse(connection, tokenRevoked));

  /** Whether all that a connection has is still allowed. Where the store does not answer it keeps it. */
  const check = async (connection: Connection): Promise<void> => {
    try {
      await rights.caller(connection.authorization, caller => {
        connection.caller = caller;
      });
      await rights.answers(connection, [...connection.channels.keys()], answers => {
        for (const [channel, each] of answers)
          if (each.refused) lose(connection, channel, each.refused);
          else become(connection, channel, each.role);
      });
    } catch (error) {
      if (error instanceof Rejected && error.kind !== 'unavailable') refuse(connection, error);
      else log.warn({ err: error }, 'rights of a realtime connection could not be looked at again');
    }
  };
  const atOnce: { readonly [T in RightsFact['type']]?: Meaning<Extract<RightsFact, { type: T }>> } = {
    ApiTokenRevoked: ({ data }) => endToken(data.tokenId),
    ApiTokenReplaced({ data }) {
      if (data.until <= clock()) endToken(data.tokenId);
    },
    MemberRemoved({ data: { kind, groupId, uid } }) {
      if (kind !== 'workspace') return;
      for (const connection of hub.ofUser(uid)) lose(connection, `workspace:${groupId}`, channelForbidden);
    },
    MemberRoleChanged({ data: { kind, groupId, uid, role } }) {
      if (kind !== 'workspace') return;
      for (const connection of hub.ofUser(uid)) become(connection, `workspace:${groupId}`, role);
    },
    GroupArchived({ data: { kind, groupId } }) {
      if (kind !== 'workspace') return;
      const channel: Channel = `workspace:${groupId}`;
      for (const connection of hub.listenersOf(channel)) lose(connection, channel, workspaceArchived);
    },
  };
  /** Whom a fact concerns. Of a group that may be many, who are looked at when there is time. */
  const concerned = async ({ data }: RightsFact): Promise<readonly Connection[]> => {
    if ('tokenId' in data) return hub.ofToken(data.tokenId);
    if ('uid' in data) return hub.ofUser(data.uid);
    const workspaces = data.kind === 'workspace' ? [data.groupId] : await workspacesOf(data.groupId);
    for (const workspace of workspaces)
      for (const connection of hub.listenersOf(`workspace:${workspace}`))
        connection.checkedAt = Number.NEGATIVE_INFINITY;
    // Of which workspaces their goals are is found out when they are looked at
    for (const connection of hub.connections)
      if ([...connection.channels.keys()].some(name => name.startsWith('goal:')))
        connection.checkedAt = Number.NEGATIVE_INFINITY;
    return [];
  };

  const changing = (page: readonly Fact[]): Fact<RightsFact>[] =>
    page.filter(({ type }) => CHANGING.has(type)) as unknown as Fact<RightsFact>[];
  /** The last fact whose meaning was done: a later look at it must not undo what came after. */
  let done = START;
  const now = (page: readonly Fact[]): void => {
    for (const fact of changing(page).filter(({ position }) => position > done))
      (atOnce[fact.type] as Meaning<RightsFact> | undefined)?.(fact);
    done = Math.max(done, page.at(-1)?.position ?? START);
  };

  return {
    check,
    /** Before anything of a page is told: nothing that happened later reaches who was gone by then. */
    now,
    async took(page: readonly Fact[]): Promise<void> {
      const those = changing(page);
      if (those.length === 0) return;
      now(page);
      await known(those);
      hub.changed();
      const again = new Set((await Promise.all(those.map(concerned))).flat());
      await Promise.all([...again].map(check));
    },
  };
}

/** Facts after which somebody may do less than before. */
const CHANGING: ReadonlySet<string> = new Set<RightsFact['type']>([
  'ApiTokenChanged',
  'ApiTokenRevoked',
  'ApiTokenReplaced',
  'MemberRoleChanged',
  'MemberRemoved',
  'GroupArchived',
  'GroupChanged',
  'TotpDisabled',
  'UserErased',
]);
