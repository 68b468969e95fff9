import type { HostedModel, HostedModels, ModelRef } from '../domain/models/hosted.js';
import { isMade, type MadeModels } from '../domain/models/made.js';
import { SECOND } from '../domain/time.js';
import type { DeploymentQueries } from '../projections/deployments/queries.js';

/** Where several processes share the stores a change may be known before all that it changed is. */
const FRESH_MS = 10 * SECOND;

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
  let known: ReadonlyMap<string, HostedModel> = new Map();
  let last: { readonly change: string | null; readonly at: number; readonly refs: readonly ModelRef[] } = {
    ...{ change: null, at: -Infinity, refs: [] },
  };

  async function inService(): Promise<readonly ModelRef[]> {
    const change = await lastChange();
    const at = clock();
    if (change !== last.change || Math.abs(at - last.at) > FRESH_MS)
      last = { change, at, refs: await madeInService() };
    return last.refs;
  }
  return {
    byUid: foundation.byUid,
    find: async ref => (isMade(ref) ? (known.get(nameOf(ref)) ?? made.find(ref)) : foundation.find(ref)),
    async all() {
      const [hosted, refs] = await Promise.all([foundation.all(), inService()]);
      const before = known;
      const found = await Promise.all(refs.map(async ref => before.get(nameOf(ref)) ?? made.find(ref)));
      const there = found.filter(model => model !== null);
      known = new Map(there.filter(({ lost }) => lost === undefined).map(model => [nameOf(model), model]));
      return [...hosted, ...there];
    },
  };
};
const nameOf = ({ family, slug }: ModelRef): string => `${family}/${slug}`;
