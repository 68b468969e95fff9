import type { FromSchema } from '../../json-schema.js';
import { mergedOr } from '../edge/clearing.js';
import type { patchBody } from './schemas.js';
import type { Given } from './settings.js';

export type GivenPatch = FromSchema<typeof patchBody>;

/** A whole body of settings and what a PATCH names: members of members too; null clears. */
export function patched(before: Given, { training_schedule, ...patch }: GivenPatch): Given {
  const triggers = patch.retrain_triggers;
  const onNewData = triggers === null ? null : triggers?.on_new_data;
  return {
    ...before,
    ...patch,
    promotion_policy: mergedOr(before.promotion_policy, patch.promotion_policy),
    budget: mergedOr(before.budget, patch.budget),
    retrain_triggers: { on_new_data: mergedOr(before.retrain_triggers?.on_new_data, onNewData) },
    training_schedule: mergedOr(before.training_schedule, training_schedule),
  };
}
