import type { Context } from '../../commands/engine/handle.js';
import type { Call } from './row.js';

/** Who, why and when, for the facts that a call leads to. */
export const contextOf = ({ caller, requestId }: Call<unknown, unknown, unknown>, at: number): Context => ({
  workspace: caller.workspace,
  actor: `token:${caller.tokenId}`,
  request: requestId,
  correlation: requestId,
  causation: null,
  at,
});
