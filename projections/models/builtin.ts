import {
  ALGORITHM_NAMES,
  algorithmOf,
  asksGraph,
  completed,
  type AlgorithmName,
} from '../../domain/models/algorithms.js';
import { BUILTIN } from '../../domain/models/hosted.js';
import { UNUSED, type BlueprintDoc } from './documents.js';

/** Who made them. */
export const BUILTIN_OWNER = { id: 'presage', name: 'Presage' };

type Names = ReadonlyMap<string, string | null>;
/** Names of who made models, by uid: of people as they are told, and of who made what is built in. */
export const ownersNamed =
  (namesOf: (uids: readonly string[]) => Promise<Names>) =>
  async (owners: readonly string[]): Promise<Names> => {
    const people = new Set(owners.filter(owner => owner !== BUILTIN_OWNER.id));
    return new Map([[BUILTIN_OWNER.id, BUILTIN_OWNER.name], ...(await namesOf([...people]))]);
  };

const SINCE = Date.UTC(2026, 10, 23);

/** Each algorithm with its defaults. */
const builtin = (algorithm: AlgorithmName): BlueprintDoc => {
  const { title, description, category } = algorithmOf(algorithm);
  return {
    _id: `${BUILTIN}${algorithm}`,
    ...{ name: title, description, purpose: 'forecast', visibility: 'public' },
    ...{ categories: ['custom', category], tags: ['forecast'], metadata: {} },
    kind: 'custom',
    recipe: { algorithm, hyperparameters: completed(algorithm, {}) },
    ...UNUSED,
    ...{ workspace: '', owner: BUILTIN_OWNER.id, rating: 0 },
    framework: asksGraph(algorithm) ? 'onnx' : 'builtin',
    training_environment: 'cpu',
    ...{ created_at: SINCE, updated_at: SINCE },
  };
};

/** The blueprints that come with the platform, by their ids. */
export const builtins: ReadonlyMap<string, BlueprintDoc> = new Map(
  ALGORITHM_NAMES.map(builtin).map(doc => [doc._id, doc]),
);
