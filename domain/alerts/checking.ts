import type { Fact } from '../fact.js';
import { SECOND } from '../time.js';
import type { Check, Verdict } from './commands.js';
import type { AlertFact, Evidence, ToldOf } from './facts.js';
import { isOfStep } from './kinds.js';
import { awakeFrom, evolve, isStill, restedAt, type LiveAlert, type OpenInstance } from './state.js';

type Facts = readonly AlertFact[];
type Held = Extract<Verdict, { readonly holds: boolean }>;
/** `at`: now, epoch ms. */
type Now = { readonly alertId: string; readonly at: number; readonly position: number | null };

/**
 * What several checks lead to, one after the other. A fact that was looked at, or one before it, is seen
 * again after a crash: it leads to nothing.
 */
export function afterChecks(checks: readonly Check[], before: LiveAlert, now: Now): Facts {
  const { position } = now;
  if (position !== null && position <= before.seen) return [];
  let state = before;
  const facts: AlertFact[] = [];
  for (const check of checks)
    for (const made of checked(check, state, now)) {
      const fact = (
        position === null ? made : { ...made, data: { ...made.data, upTo: position } }
      ) as AlertFact;
      facts.push(fact);
      state = evolve(state, { ...fact, at: now.at } as Fact<AlertFact>) as LiveAlert;
    }
  return facts;
}

/** The table of states: what one check leads to. Of what rests nothing is checked. */
function checked({ key, instanceId, verdict }: Check, state: LiveAlert, now: Now): Facts {
  if (!state.isAwake || isStill(state.settings, now.at)) return [];
  const of = { alertId: now.alertId, goalId: state.goalId };
  if ('code' in verdict) {
    const { code, message } = verdict;
    const isKnown = state.error?.code === code && state.error.message === message;
    return isKnown ? [] : [{ type: 'AlertCheckFailed', data: { ...of, code, message } }];
  }
  const recovered: Facts = state.error ? [{ type: 'AlertCheckRecovered', data: of }] : [];
  if ('within' in verdict) {
    const { lastAt, upSince } = verdict;
    const from = Math.max(lastAt ?? -Infinity, upSince, awakeFrom(state, now.at));
    if (state.lacksData || now.at - from < verdict.within) return recovered;
    const data = { ...of, ...toldOf(state), lastAt };
    return [...recovered, { type: 'AlertLostData', data }];
  }
  if (now.position === null && isOfThePast(verdict, state, now.at)) return recovered;
  const regained: Facts = state.lacksData ? [{ type: 'AlertRegainedData', data: of }] : [];
  const { instance } = state;
  const led =
    instance === null
      ? beginning({ verdict, instanceId }, state, now)
      : goingOn({ verdict, key }, { ...state, instance }, now);
  return [...recovered, ...regained, ...led];
}

/** Looked at by time, where nothing holds: an actual of a step before it was watched, or while it slept. */
const isOfThePast = ({ evidence }: Held, state: LiveAlert, now: number): boolean =>
  (state.phase === 'normal' || state.phase === 'resolved')
  && isOfStep(state.settings.watched.kind)
  && evidence.at !== null
  && evidence.at < awakeFrom(state, now);

/** Where nothing fires yet. */
function beginning(
  { verdict: { holds, evidence }, instanceId }: { readonly verdict: Held; readonly instanceId: string },
  state: LiveAlert,
  { alertId, at }: Now,
): Facts {
  const { phase, settings, goalId } = state;
  const of = { alertId, goalId };
  if (phase === 'pending') {
    if (!holds) return [{ type: 'AlertCalmed', data: of }];
    const since = Math.max(state.since, awakeFrom(state, at));
    return at - since >= settings.forS * SECOND ? fired(state, { alertId, instanceId, evidence, since }) : [];
  }
  if (phase === 'resolved' && at < restedAt(state)) return [];
  const rested: Facts = phase === 'resolved' ? [{ type: 'AlertRested', data: of }] : [];
  // The same check again, after a crash
  if (!holds || state.instanceIds.includes(instanceId)) return rested;
  const begun: Facts =
    settings.forS > 0
      ? [{ type: 'AlertPended', data: { ...of, evidence } }]
      : fired(state, { alertId, instanceId, evidence, since: at });
  return [...rested, ...begun];
}

type Fires = {
  readonly alertId: string;
  readonly instanceId: string;
  readonly evidence: Evidence;
  readonly since: number;
};
const fired = (state: LiveAlert, fires: Fires): Facts =>
  state.instanceIds.includes(fires.instanceId)
    ? []
    : [{ type: 'AlertFired', data: { goalId: state.goalId, ...fires, ...toldOf(state) } }];

/** Where an instance is open. */
function goingOn(
  { verdict: { holds, evidence }, key }: { readonly verdict: Held; readonly key: string },
  state: LiveAlert & { readonly instance: OpenInstance },
  { alertId, at }: Now,
): Facts {
  const { instance, goalId } = state;
  const of = { alertId, goalId, instanceId: instance.instanceId };
  if (!holds) {
    if (instance.eased === key) return [];
    if (instance.eased === null) return [{ type: 'AlertEased', data: { ...of, check: key } }];
    return [{ type: 'AlertResolved', data: { ...of, ...toldOf(state), by: null, evidence } }];
  }
  const wentOn: Facts = instance.eased === null ? [] : [{ type: 'AlertWentOn', data: of }];
  const again = repeatAt(state);
  if (again === null || at < again) return wentOn;
  return [...wentOn, { type: 'AlertRepeated', data: { ...of, ...toldOf(state), evidence } }];
}

/** When its author is told again, epoch ms; null: never. What is acknowledged is not told again. */
export function repeatAt({ phase, instance, settings }: LiveAlert): number | null {
  if (phase !== 'firing' || !instance) return null;
  if (instance.snoozedUntil !== null) return instance.snoozedUntil;
  return settings.cooldownS > 0 ? instance.toldAt + settings.cooldownS * SECOND : null;
}

/** When something may become of it without a new check, epoch ms; null: never. */
export function dueAt(state: LiveAlert): number | null {
  const { phase, settings, since } = state;
  if (!settings.enabled) return null;
  const due = {
    normal: null,
    pending: since + settings.forS * SECOND,
    firing: repeatAt(state),
    acknowledged: null,
    resolved: restedAt(state),
  }[phase];
  return due === null ? null : Math.max(due, settings.muteUntil ?? due);
}

export const toldOf = ({ settings, by }: LiveAlert): ToldOf => ({
  ...{ name: settings.name, kind: settings.watched.kind, severity: settings.severity },
  ...{ to: by, channels: settings.channels },
});
