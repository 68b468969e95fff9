import { isAlias } from '../../domain/marketplace/aliases.js';
import type { Columns } from '../../domain/signals/points.js';
import type { WorkspaceKey } from '../engine/keys.js';
import type { Stored } from '../engine/read-models.js';
import type { SignalDoc } from '../signals/documents.js';
import { signalId } from '../signals/projection.js';
import type { SignalQueries } from '../signals/queries.js';
import type { MarketplaceQueries } from './queries.js';

/**
 * Signals as analyses see them: the workspace's own, and those that it subscribes to, under their aliases.
 * These lie with the publisher and are read there; what comes out looks as if it lay with the reader.
 */
export function signalReads(
  queries: Pick<SignalQueries, 'signals' | 'newestKeys' | 'points' | 'newest'>,
  { aliasesOf, resolve }: Pick<MarketplaceQueries, 'aliasesOf' | 'resolve'>,
) {
  /** Where a signal lies; null: nowhere that this workspace may read. */
  const placeOf = (workspace: string, key: string): Promise<WorkspaceKey | null> =>
    resolve(workspace, 'signal', key);

  async function subscribed(workspace: string, alias: string): Promise<Stored<SignalDoc> | null> {
    const place = await placeOf(workspace, alias);
    const doc = place && (await queries.signals(place.workspace, [place.key])).get(place.key);
    return doc ? { ...doc, _id: signalId(workspace, alias), workspace, key: alias } : null;
  }

  /** Those of the keys that there are, by key. */
  async function signals(
    workspace: string,
    keys: readonly string[],
  ): Promise<Map<string, Stored<SignalDoc>>> {
    const own = await queries.signals(
      workspace,
      keys.filter(key => !isAlias('signal', key)),
    );
    const others = await Promise.all(
      keys.filter(key => isAlias('signal', key)).map(alias => subscribed(workspace, alias)),
    );
    return new Map([...own.values(), ...others].flatMap(doc => (doc ? [[doc.key, doc]] : [])));
  }

  return {
    signals,
    /** Keys of the signals that have the newest points, the newest first. */
    async newestKeys(workspace: string, count: number): Promise<string[]> {
      const own = await queries.newestKeys(workspace, count);
      const aliases = await aliasesOf(workspace, 'signal');
      if (aliases.length === 0) return own;
      const all = await signals(workspace, [...own, ...aliases.map(({ alias }) => alias)]);
      const newest = [...all.values()].sort((a, b) => b.last_at - a.last_at || (a.key < b.key ? -1 : 1));
      return newest.slice(0, count).map(({ key }) => key);
    },
    async *points(workspace: string, key: string, from: number, to: number): AsyncGenerator<Columns> {
      const place = await placeOf(workspace, key);
      if (place) yield* queries.points(place.workspace, place.key, from, to);
    },
    async newest(workspace: string, key: string, to: number, count: number): Promise<Columns> {
      const place = await placeOf(workspace, key);
      return place ? queries.newest(place.workspace, place.key, to, count) : { times: [], values: [] };
    },
  };
}
