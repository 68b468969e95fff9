import { createHash, randomBytes } from 'node:crypto';
import { apiTokens, type ApiTokenIssued, type ApiTokenState, type Bounds, type ChangeApiToken } from '../domain/api-tokens.js';
import { maskToken, tokenValue } from '../domain/token.js';
import { unwritten, type Context, type Handle, type Load } from './handle.js';
import { randomText } from './installation.js';

/** What the maker of a token chooses. */
export type NewToken = Pick<ApiTokenIssued['data'], 'name' | 'scopes' | 'workspaceIds' | 'expiresAt'> & { readonly internal?: boolean };
/** `value` is the one time it is seen. */
export type Issued = { readonly value: string; readonly state: ApiTokenState; readonly position: number | null };

export type ApiTokenCommands = ReturnType<typeof apiTokenCommands>;

/** `uid`: whose token; null where an operator asks. `within`: what the token that asks may do itself; null: no such bounds. */
export function apiTokenCommands({ handle, load, cell }: { readonly handle: Handle; readonly load: Load; readonly cell: string }) {
  const issue = async (
    tokenId: string, uid: string, { internal = false, ...wanted }: NewToken, within: Bounds | null, context: Context,
  ): Promise<Issued> => {
    const value = tokenValue(cell, randomBytes(32)), hash = createHash('sha256').update(value).digest('hex');
    const data = { ...wanted, tokenId, uid, hash, ...maskToken(value), homeCell: cell, internal, within };
    const { after: state, position } = await handle(apiTokens, { type: 'IssueApiToken', data }, context, unwritten(apiTokens));
    return { value, state, position };
  };
  const revoke = (uid: string | null, tokenId: string, context: Context) =>
    handle(apiTokens, { type: 'RevokeApiToken', data: { uid, tokenId } }, context);
  const change = (uid: string | null, tokenId: string, changes: ChangeApiToken['data']['changes'], within: Bounds | null, context: Context) =>
    handle(apiTokens, { type: 'ChangeApiToken', data: { uid, tokenId, changes, within, now: context.at } }, context);

  return {
    create: (uid: string, wanted: NewToken, within: Bounds | null, context: Context) => issue(newId(), uid, wanted, within, context),
    change, revoke,
    /**
     * Another value with the same rights and end, in place of this one, which works for `graceMs` yet. The new one is made
     * first: a crash in between leaves a token whose value nobody knows, never a user without one. Of two at once one wins;
     * the other's token is revoked before anybody has seen it.
     */
    async regenerate(uid: string | null, tokenId: string, graceMs: number, within: Bounds | null, context: Context): Promise<Issued> {
      const by = newId(), now = context.at;
      const command = { type: 'ReplaceApiToken', data: { uid, tokenId, by, until: now + graceMs, now, within } } as const;
      const before = await load(apiTokens, command);
      // Where it would be refused no token is made
      apiTokens.decide(command, before);
      const made = await issue(by, before.token!.uid, rightsOf(before.token!), null, context);
      try {
        const { after, position } = await handle(apiTokens, command, context);
        const late = await change(null, by, changeable(after.token!), null, context);
        return { ...made, state: late.after, position: Math.max(position ?? -1, late.position ?? -1) };
      } catch (error) {
        await revoke(null, by, context).catch(() => undefined);
        throw error;
      }
    },
  };
}

const newId = (): string => `tok_${randomText()}`;

const rightsOf = ({ name, scopes, workspaceIds, expiresAt, internal }: ApiTokenIssued['data']): NewToken =>
  ({ name, scopes, workspaceIds, expiresAt, internal });
/** What somebody may have changed while the new one was made. */
const changeable = ({ name, scopes, workspaceIds }: ApiTokenIssued['data']) => ({ name, scopes, workspaceIds });
