import { natures, WITHOUT_GOAL, type AlertKind, type AlertSettings } from '../../domain/alerts/kinds.js';
import type { FromSchema } from '../../json-schema.js';
import { mergedOr } from '../edge/clearing.js';
import { notValid } from '../edge/errors.js';
import { timeIn } from '../edge/times.js';
import type { AlertDeps } from './deps.js';
import { paramsView, unknownIn, watchedIn } from './params.js';
import type { goalBody, patchBody } from './schemas.js';

export type Given = FromSchema<typeof goalBody>;
type GivenPatch = FromSchema<typeof patchBody>;
type Deps = Pick<AlertDeps, 'channelsOf'>;
/** Whose it is, and how far its goal is forecast, steps; null: it has no goal. */
export type About = { readonly by: string; readonly horizon: number | null };

const COOLDOWN_S = 3_600;

/**
 * The settings that a whole body means. `known`: channels that are not looked for again.
 * @throws Rejected 422 that names the field
 */
export async function settingsIn(
  deps: Deps,
  given: Given,
  about: About,
  known: readonly string[] = [],
): Promise<AlertSettings> {
  const { kind, params, mute_until: mute = null } = given;
  mindGoal(kind, about.horizon);
  const watched = watchedIn(kind, params ?? {});
  mindSteps(watched, about.horizon);
  const channels = [...new Set(given.channels)];
  await mindChannels(deps, about.by, channels, known);
  return {
    ...{ name: given.name, watched, forS: given.for_seconds ?? 0, severity: given.severity ?? 'warning' },
    ...{ channels, enabled: given.enabled ?? true },
    muteUntil: mute === null ? null : timeIn(mute, ['body', 'mute_until']),
    cooldownS: given.cooldown_seconds ?? COOLDOWN_S,
  };
}

/** A whole body of settings and what a PATCH names: members of `params` too; null clears. */
export function patched(before: AlertSettings, patch: GivenPatch): Given {
  const { watched, forS, severity, channels, enabled, muteUntil, cooldownS, name } = before;
  return {
    ...{ name, kind: watched.kind, for_seconds: forS, severity, channels: [...channels], enabled },
    ...{ mute_until: muteUntil, cooldown_seconds: cooldownS },
    ...patch,
    params: mergedOr(paramsView(watched), patch.params),
  };
}

export const ignoredIn = (kind: AlertKind, { params }: Pick<Given, 'params'>): string[] =>
  unknownIn(kind, params ?? {});

function mindGoal(kind: AlertKind, horizon: number | null): void {
  if (horizon !== null || !natures[kind].ofGoal) return;
  const msg = `watches a goal: without one there are ${WITHOUT_GOAL.join(' and ')}`;
  throw notValid([{ loc: ['body', 'kind'], msg, type: 'value', input: kind }]);
}

function mindSteps({ params }: AlertSettings['watched'], horizon: number | null): void {
  if (!('withinSteps' in params) || horizon === null || params.withinSteps <= horizon) return;
  const msg = `must be at most ${horizon}, as far as the goal is forecast`;
  throw notValid([
    { loc: ['body', 'params', 'within_steps'], msg, type: 'value', input: params.withinSteps },
  ]);
}

async function mindChannels(
  { channelsOf }: Deps,
  by: string,
  channels: readonly string[],
  known: readonly string[],
): Promise<void> {
  const asked = channels.filter(id => !known.includes(id));
  if (asked.length === 0) return;
  const own = new Set(await channelsOf(by));
  const faults = channels.flatMap((id, i) =>
    own.has(id) || known.includes(id)
      ? []
      : [
          {
            loc: ['body', 'channels', i],
            msg: "is none of the author's channels",
            type: 'unknown',
            input: id,
          },
        ],
  );
  if (faults.length > 0) throw notValid(faults);
}
