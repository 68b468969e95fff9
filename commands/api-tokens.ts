import type { Bounds, ChangeApiToken, Lifetime } from '../domain/tokens/commands.js';
import { apiTokens } from '../domain/tokens/decider.js';
import type { ApiTokenIssued } from '../domain/tokens/facts.js';
import type { ApiTokenState } from '../domain/tokens/state.js';
import { DAY } from '../domain/time.js';
import { unwritten, type Context, type Handle, type Load } from './engine/handle.js';
import { newId } from './engine/ids.js';
import { newTokenValue } from './token-value.js';

/** What the maker of a token chooses. `expiresAt` undefined: as late as may be. */
export type NewToken = Pick<ApiTokenIssued['data'], 'name' | 'scopes' | 'workspaceIds'> & {
  readonly expiresAt: number | null | undefined;
  readonly internal?: boolean;
};
/** `value` is the one time it is seen. */
export type Issued = {
  readonly value: string;
  readonly state: ApiTokenState;
  readonly position: number | null;
};

type Deps = {
  readonly handle: Handle;
  readonly load: Load;
  readonly cell: string;
  /**
   * Of somebody's workspaces (null: of all they are in): for how many days their organizations let a token
   * live; null: for ever. From read models, since it is spread over many journals: where they are behind, the
   * check of every request still refuses what is too old.
   */
  readonly daysFor: (uid: string, workspaceIds: readonly string[] | null) => Promise<number | null>;
};
export type ApiTokenCommands = ReturnType<typeof apiTokenCommands>;

/**
 * `uid`: whose token; null where an operator asks. `within`: what the token that asks may do itself; null: no
 * such bounds. `seen`: the version that is meant; null: whichever there is.
 */
export function apiTokenCommands({ handle, load, cell, daysFor }: Deps) {
  const issue = async (
    tokenId: string,
    uid: string,
    { internal = false, expiresAt, ...wanted }: NewToken,
    within: Bounds | null,
    lifetime: Lifetime | null,
    context: Context,
  ): Promise<Issued> => {
    const { value, traces } = newTokenValue(cell);
    const end = expiresAt === undefined ? sooner(within?.expiresAt, lifetime?.until) : expiresAt;
    const token = { ...wanted, expiresAt: end, tokenId, uid, ...traces, homeCell: cell, internal };
    const command = { type: 'IssueApiToken', data: { ...token, within, lifetime } } as const;
    const { after, position } = await handle(apiTokens, command, context, unwritten(apiTokens));
    return { value, state: after, position };
  };
  const lifetimeOf = async (
    uid: string,
    workspaceIds: readonly string[] | null,
    { at }: Context,
  ): Promise<Lifetime | null> => {
    const days = await daysFor(uid, workspaceIds);
    return days === null ? null : { days, until: at + days * DAY };
  };
  const revoke = (uid: string | null, tokenId: string, context: Context, seen: number | null = null) =>
    handle(apiTokens, { type: 'RevokeApiToken', data: { uid, tokenId, seen, now: context.at } }, context);
  const change = (
    uid: string | null,
    tokenId: string,
    changes: ChangeApiToken['data']['changes'],
    within: Bounds | null,
    context: Context,
    seen: number | null = null,
  ) => {
    const data = { uid, tokenId, changes, within, seen, now: context.at };
    return handle(apiTokens, { type: 'ChangeApiToken', data }, context);
  };

  return {
    /**
     * An operator's (`within` null) stands outside of the organizations' lifetimes; it is too old for them in
     * time all the same.
     */
    async create(uid: string, wanted: NewToken, within: Bounds | null, context: Context): Promise<Issued> {
      const lifetime = within && (await lifetimeOf(uid, wanted.workspaceIds, context));
      return issue(newId('tok_'), uid, wanted, within, lifetime, context);
    },
    change,
    revoke,
    /**
     * Another value with the same rights in place of this one, which works for `graceMs` yet; with the same
     * end, or a sooner one where organizations ask for it. The new one is made first: a crash in between
     * leaves a token whose value nobody knows, never a user without one. Of two at once one wins; the other's
     * token is revoked before anybody has seen it.
     */
    async regenerate(
      uid: string | null,
      tokenId: string,
      graceMs: number,
      within: Bounds | null,
      context: Context,
    ): Promise<Issued> {
      const by = newId('tok_');
      const now = context.at;
      const data = { uid, tokenId, by, until: now + graceMs, now, within };
      const command = { type: 'ReplaceApiToken', data } as const;
      const before = await load(apiTokens, tokenId);
      // Where it would be refused no token is made
      apiTokens.decide(command, before);
      const old = before.token!;
      const lifetime = uid === null ? null : await lifetimeOf(uid, old.workspaceIds, context);
      const wanted = {
        ...changeable(old),
        internal: old.internal,
        expiresAt: sooner(old.expiresAt, lifetime?.until),
      };
      const made = await issue(by, old.uid, wanted, null, null, context);
      try {
        const { after, position } = await handle(apiTokens, command, context);
        // Somebody may have changed the old one while the new one was made
        const late = await change(null, by, changeable(after.token!), null, context);
        return { ...made, state: late.after, position: Math.max(position ?? -1, late.position ?? -1) };
      } catch (error) {
        await revoke(null, by, context).catch(() => undefined);
        throw error;
      }
    },
  };
}

/** The sooner of two ends, epoch ms; null, and what is not there: never. */
function sooner(a: number | null = null, b: number | null = null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

const changeable = ({ name, scopes, workspaceIds }: ApiTokenIssued['data']) => ({
  name,
  scopes,
  workspaceIds,
});
