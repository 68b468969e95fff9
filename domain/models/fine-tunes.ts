import type { ForecasterTask } from '../maths/forecasting/forecaster.js';
import { Rejected } from '../rejected.js';
import type { FineTune, Intensity } from './facts.js';
import { FIRST_PARTY, type HostedModel, type ModelRef } from './hosted.js';

/** What is asked for; what is null is chosen here. */
export type FineTuneWanted = {
  readonly family: string;
  readonly slug: string | null;
  readonly task: ForecasterTask;
  readonly intensity: Intensity;
  readonly lookback: number | null;
  readonly horizon: number | null;
};

/** Lowered where the model can do less. */
const LOOKBACK = 2048;
const HORIZON = 128;

/**
 * The fine-tuning that is meant, of one of the models that are hosted.
 * @throws Rejected 400 for a family that is not hosted, a task that the model does not do, and a lookback or
 *   horizon above its cap; 404 for a slug that is not hosted; 409 for a deprecated model; 422 without a slug
 *   where it does not follow from the task
 */
export function fineTuneOf(wanted: FineTuneWanted, hosted: readonly HostedModel[]): FineTune {
  const { family, task, intensity } = wanted;
  const ofFamily = hosted.filter(model => model.family === family);
  if (ofFamily.length === 0) throw familyUnavailable(family, hosted);
  const model = wanted.slug === null ? derived(wanted, ofFamily) : named(wanted.slug, family, ofFamily);
  if (model.deprecatedAt !== null) throw modelDeprecated(model);
  if (!model.tasks.includes(task)) throw taskNotSupported(task, `${family}/${model.slug}`, model.tasks);
  return {
    model: { family, slug: model.slug, version: model.version },
    ...{ task, intensity },
    lookback: withinCap('lookback', wanted.lookback, LOOKBACK, model, model.maxContext),
    horizon: withinCap('horizon', wanted.horizon, HORIZON, model, model.maxHorizon),
  };
}

/** What the platform says of a model that it does not host. */
export const modelNotAvailable = (family: string, slug: string): Rejected =>
  new Rejected('missing', 'model_not_available', `The model ${family}/${slug} is not available`, {
    family,
    slug,
  });

/** What it says of one that was retired and is asked for anew. */
export const modelDeprecated = ({ family, slug, replacement }: HostedModel): Rejected => {
  const instead = replacement ? `; take ${replacement.family}/${replacement.slug}` : '';
  return new Rejected(
    'conflict',
    'MODEL_DEPRECATED',
    `The model ${family}/${slug} is deprecated and not taken for anything new${instead}`,
    { family, slug, replacement },
  );
};

const familyUnavailable = (family: string, hosted: readonly HostedModel[]): Rejected => {
  const families = [...new Set(hosted.map(model => model.family))];
  return new Rejected(
    'invalid',
    'family_unavailable',
    `family: '${family}' is not available; there is ${families.join(', ') || 'none'}`,
    { field: 'family', family, families },
  );
};

function named(slug: string, family: string, ofFamily: readonly HostedModel[]): HostedModel {
  const model = ofFamily.find(each => each.slug === slug);
  if (!model) throw modelNotAvailable(family, slug);
  return model;
}

/** First-party: the recommended one of those that do the task, else the smallest of them. */
function derived({ family, task }: FineTuneWanted, ofFamily: readonly HostedModel[]): HostedModel {
  if (family !== FIRST_PARTY) throw slugMissing(family);
  const able = ofFamily.filter(model => model.deprecatedAt === null && model.tasks.includes(task));
  const [first] = [...able].sort(
    (a, b) => Number(b.recommended) - Number(a.recommended) || a.parameters - b.parameters,
  );
  if (first) return first;
  throw taskNotSupported(task, family, [...new Set(ofFamily.flatMap(model => model.tasks))]);
}

const slugMissing = (family: string): Rejected =>
  new Rejected('unprocessable', 'validation_error', '1 field is not valid', {
    detail: [
      {
        loc: ['body', 'slug'],
        msg: `is required: it does not follow from the task in the family ${family}`,
        type: 'missing',
      },
    ],
  });

const taskNotSupported = (task: ForecasterTask, by: string, tasks: readonly ForecasterTask[]): Rejected =>
  new Rejected('invalid', 'invalid_parameter', `task: ${by} does not do '${task}', but ${tasks.join(', ')}`, {
    field: 'task',
    task,
    tasks,
  });

/** What was given, or the default lowered to the cap. @throws Rejected 400 for what was given above it */
export function withinCap(
  field: 'lookback' | 'horizon',
  given: number | null,
  fallback: number,
  { family, slug }: ModelRef,
  cap: number,
): number {
  if (given === null) return Math.min(fallback, cap);
  if (given <= cap) return given;
  throw new Rejected(
    'invalid',
    `${field}_above_cap`,
    `${field}: ${given} is above the cap of the family ${family} (${family}/${slug}), ${cap}`,
    { field, family, slug, cap, given },
  );
}
