import type { HostedModel, HostedModels, ModelRef } from '../domain/models/hosted.js';
import { isMade, type MadeModels } from '../domain/models/made.js';
import { SECOND } from '../domain/time.js';
import type { DeploymentQueries } from '../projections/deployments/queries.js';

/** Where several processes share the stores a change may be known before all that it changed is. */
const FRESH_MS = 10 * SECOND;

/** What is in service since the last change. `at`: when it was looked through, epoch ms. */
type Look = { readonly change: string | null; readonly at: number; readonly refs: readonly ModelRef[] };
/** `seen`: a lost one is looked for again at the next look. */
type Known = { readonly model: HostedModel; readonly seen: Look };

/**
 * Foundation models, and with them what was made or brought: of the latter `all` has those in service. It is
 * asked several times a second, so deployments are looked through only after one of them changed.
 */
export const withMade = (
  foundation: HostedModels,
  made: MadeModels,
  { lastChange, madeInService }: Pick<DeploymentQueries, 'lastChange' | 'madeInService'>,
  clock: () => number,
): HostedModels => {
  /** By family and slug. What was made once stays as it is: unless it is lost it is read only once. */
  let known: ReadonlyMap<string, Known> = new Map();
  let last: Look = { change: null, at: -Infinity, refs: [] };

  async function look(): Promise<Look> {
    const change = await lastChange();
    const at = clock();
    if (change !== last.change || Math.abs(at - last.at) > FRESH_MS)
      last = { change, at, refs: await madeInService() };
    return last;
  }
  return {
    byUid: foundation.byUid,
    async find(ref) {
      if (!isMade(ref)) return foundation.find(ref);
      const found = known.get(nameOf(ref));
      return found && isThere(found) ? found.model : made.find(ref);
    },
    async all() {
      const [hosted, seen] = await Promise.all([foundation.all(), look()]);
      const before = known;
      const found = await Promise.all(
        seen.refs.map(async ref => {
          const one = before.get(nameOf(ref));
          if (one && (isThere(one) || one.seen === seen)) return one;
          const model = await made.find(ref);
          return model && { model, seen };
        }),
      );
      const all = found.filter(one => one !== null);
      known = new Map(all.map(one => [nameOf(one.model), one]));
      return [...hosted, ...all.map(({ model }) => model)];
    },
  };
};
const isThere = ({ model }: Known): boolean => model.lost === undefined;
const nameOf = ({ family, slug }: ModelRef): string => `${family}/${slug}`;
