import { isAlias } from '../../domain/marketplace/aliases.js';
import type { EventQueries } from '../events/queries.js';
import type { SignalQueries } from '../signals/queries.js';

/**
 * Those of some signals and event streams that a workspace does not have. Aliases are passed over: that they
 * are not to be listed, the decider says.
 */
export const missingFrom =
  (signals: Pick<SignalQueries, 'signals'>, events: Pick<EventQueries, 'stream'>) =>
  async (workspace: string, keys: readonly string[], streams: readonly string[]): Promise<string[]> => {
    const there = await signals.signals(workspace, keys);
    const missing = keys
      .filter(key => !there.has(key) && !isAlias('signal', key))
      .map(key => `signal '${key}'`);
    for (const key of streams) {
      const stream = await events.stream(workspace, key);
      if (!stream?.count && !isAlias('stream', key)) missing.push(`event stream '${key}'`);
    }
    return missing;
  };
