import {
  ALGORITHM_NAMES,
  algorithmOf,
  completed,
  type AlgorithmName,
} from '../../domain/models/algorithms.js';
import type { BlueprintKind, BlueprintLabels } from '../../domain/models/facts.js';
import { fineTuneOf } from '../../domain/models/fine-tunes.js';
import { object, type FromSchema } from '../../json-schema.js';
import { notValid } from '../edge/errors.js';
import { checkOf, type Check } from '../edge/validation.js';
import type { createBody } from './create-schemas.js';
import type { ModelDeps } from './deps.js';

type Body = FromSchema<typeof createBody>;
/** A blueprint to be made, and what people are told of what it waits for. */
export type Wanted = { readonly blueprint: BlueprintLabels & BlueprintKind; readonly message: string };

const checks = new Map<AlgorithmName, Check>(
  ALGORITHM_NAMES.map(name => [
    name,
    checkOf(object({ hyperparameters: algorithmOf(name).hyperparameters }), 'body'),
  ]),
);

/** @throws Rejected as `fineTuneOf` does, and 422 for what is missing or not as the algorithm says */
export const wantedOf = async (body: Body, { hosted }: Pick<ModelDeps, 'hosted'>): Promise<Wanted> =>
  body.kind === 'custom' ? customOf(body) : foundationOf(body, await hosted.all());

function customOf(body: Body): Wanted {
  const { algorithm, hyperparameters = {} } = body;
  if (algorithm === undefined) throw missing('algorithm');
  checks.get(algorithm)!({ hyperparameters });
  const { title, description } = algorithmOf(algorithm);
  const recipe = { algorithm, hyperparameters: completed(algorithm, hyperparameters) };
  return {
    blueprint: { ...labelsOf(body, title, description), kind: 'custom', recipe },
    message: 'Stored. POST /v1/training fits it to a segment',
  };
}

function foundationOf(body: Body, hosted: Parameters<typeof fineTuneOf>[1]): Wanted {
  const {
    family,
    slug = null,
    task = 'forecast',
    intensity = 'adapt',
    lookback = null,
    horizon = null,
  } = body;
  if (family === undefined) throw missing('family');
  const foundation = fineTuneOf({ family, slug, task, intensity, lookback, horizon }, hosted);
  const name = `${foundation.model.family}/${foundation.model.slug}`;
  const title = `${name}, ${intensity}`;
  return {
    blueprint: { ...labelsOf(body, title, `${name}, fine-tuned`), kind: 'foundation', foundation },
    message: `Stored. POST /v1/training fine-tunes it on a segment; ${name} can be deployed as it is`,
  };
}

const labelsOf = (body: Body, name: string, description: string): BlueprintLabels => ({
  name: body.name?.trim() || name,
  purpose: body.purpose ?? null,
  description: body.description ?? description,
  visibility: body.visibility ?? 'private',
  categories: body.categories ?? [],
  tags: body.tags ?? [],
  metadata: body.metadata ?? {},
});

const missing = (field: string) => notValid([{ loc: ['body', field], msg: 'is required', type: 'missing' }]);
