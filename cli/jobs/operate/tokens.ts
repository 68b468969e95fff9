import type { Issued } from '../../../commands/api-tokens.js';
import { Rejected } from '../../../domain/rejected.js';
import { DAY, SECOND } from '../../../domain/time.js';
import { scopes, type Scope } from '../../../domain/tokens/scopes.js';
import type { Operations, Performed } from '../operation.js';
import { mustExist } from './users.js';

export type TokenOptions =
  | {
      readonly what: 'token create';
      readonly uid: string;
      readonly name: string;
      readonly scopes: readonly string[];
      readonly internal: boolean;
      readonly days: number | null;
    }
  | { readonly what: 'token regenerate'; readonly token: string; readonly graceSeconds: number }
  | { readonly what: 'token revoke'; readonly token: string };

export const tokenOperations: Operations<TokenOptions> = {
  async 'token create'(platform, { uid, name, scopes: names, internal, days }, context) {
    const { tokens } = platform.areas.identity;
    await mustExist(platform, uid);
    const expiresAt = days === null ? null : platform.clock() + days * DAY;
    const wanted = { name, scopes: scopesOf(names), workspaceIds: null, expiresAt, internal };
    const issued = await tokens.create(uid, wanted, null, context);
    return performed(issued);
  },
  async 'token regenerate'({ areas }, { token, graceSeconds }, context) {
    const graceMs = graceSeconds * SECOND;
    const issued = await areas.identity.tokens.regenerate(null, token, graceMs, null, context);
    return performed(issued);
  },
  async 'token revoke'({ areas }, { token }, context) {
    const { position } = await areas.identity.tokens.revoke(null, token, context);
    return { shown: { token_id: token, revoked: true }, position };
  },
};

const performed = ({ value, state, position }: Issued): Performed => ({
  shown: { token_id: state.token!.tokenId, token: value },
  position,
});

/** @throws Rejected 422 for one that there is not */
function scopesOf(names: readonly string[]): readonly Scope[] {
  const unknown = names.find(name => !scopes.includes(name as Scope));
  if (unknown === undefined) return names as Scope[];
  throw new Rejected('unprocessable', 'validation_error', `there is no scope ${unknown}`);
}
