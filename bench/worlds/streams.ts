import type { Chance } from './chance.js';
import type { Ground } from './ground.js';
import { curveOf, SHAPES, type Curve, type Shape } from './shapes.js';
import { strengthsOf, textsOf } from './strengths.js';
import type { Topic } from './texts.js';
import { companionTimes, peakTimes, RHYTHMS, timesOf } from './times.js';
import type { Effect, ScaledBy, Stream, StreamRole, WorldEvent } from './world.js';

/** What a stream of a kind of world is drawn from. */
export type StreamPlan = {
  readonly role: StreamRole;
  readonly count: readonly [number, number];
  /** Peak of the effect in residual deviations. */
  readonly size?: readonly [number, number];
  /** Steps from an event until its effect begins. */
  readonly lag?: readonly [number, number];
  readonly scaledBy?: readonly ScaledBy[];
  /** Deviation of the logarithm of what each effect is multiplied by on its own. */
  readonly varies?: number;
  /** Share of the events that are recorded long after they occurred. */
  readonly late?: number;
};

const COUNTS_AT_LEAST = 5;
/** Of all steps, one in so many may hold an event of a stream with an effect. */
const SPARSE = 15;

type Setting = {
  readonly ground: Ground;
  readonly residual: number;
  readonly topic: Topic;
  /** The stream that a companion comes with. */
  readonly cause: Stream | null;
};

export function streamOf(chance: Chance, plan: StreamPlan, setting: Setting): Stream {
  const { ground, topic, cause } = setting;
  const steps = stepsOf(chance, plan, setting);
  const { effect, before } = effectOf(chance, plan, setting, steps.length);
  const diesAt = plan.role === 'dying' ? Math.round(ground.steps * chance.between(0.5, 0.65)) : null;
  const scaledBy = effect?.scaledBy ?? chance.pick(['nothing', 'nothing', 'value', 'importance', 'impact']);
  const drawn = strengthsOf(chance, scaledBy, steps.length, plan.varies ?? 0);
  const texts = textsOf(chance, topic, drawn, effect?.sign ?? 1);
  const sharp = chance.happens(0.3);
  const unit = chance.scaleBetween(1, 1_000);
  const events = steps.map((step, i): WorldEvent => {
    const occurredAt = Math.round(
      ground.start + (step + (sharp ? 0 : chance.between(0, 0.9))) * ground.stepMs,
    );
    const ahead = plan.role === 'announced' ? before + chance.whole(5, 40) : 0;
    const late = plan.late !== undefined && chance.happens(plan.late) ? chance.whole(5, 50) : 0;
    const delay = chance.whole(0, Math.min(60_000, ground.stepMs / 20));
    return {
      step,
      occurredAt,
      recordedAt: occurredAt + delay + (late - ahead) * ground.stepMs,
      text: texts[i]!,
      value: scaledBy === 'value' ? Number((unit * drawn[i]!.strength).toPrecision(4)) : null,
      strength: effect && (diesAt === null || step < diesAt) ? drawn[i]!.strength : 0,
    };
  });
  const companionOf = plan.role === 'companion' ? cause!.key : null;
  return { key: topic, role: plan.role, events, effect, companionOf, diesAt };
}

function stepsOf(chance: Chance, plan: StreamPlan, { ground, cause }: Setting): readonly number[] {
  if (plan.role === 'peak') return peakTimes(chance, ground.season, ground);
  if (plan.role === 'companion')
    return companionTimes(
      chance,
      cause!.events.map(({ step }) => step),
      ground.steps,
    );
  const most = Math.max(COUNTS_AT_LEAST, Math.floor(ground.steps / SPARSE));
  const count = Math.min(most, Math.round(chance.scaleBetween(...plan.count)));
  return timesOf(chance, chance.pick(RHYTHMS), count, ground);
}

const WITHOUT: readonly StreamRole[] = ['unrelated', 'companion', 'peak'];
const LONGEST = 40;

function effectOf(
  chance: Chance,
  plan: StreamPlan,
  { ground, residual }: Setting,
  count: number,
): { readonly effect: Effect | null; readonly before: number } {
  if (WITHOUT.includes(plan.role)) return { effect: null, before: 0 };
  const early = plan.role === 'anticipated' || (plan.role === 'announced' && chance.happens(0.5));
  const before = early ? chance.whole(2, 6) : 0;
  const shape: Shape = early ? chance.pick(['decay', 'shift']) : chance.pick(SHAPES);
  const longest = Math.max(4, Math.min(LONGEST, (1.2 * ground.steps) / count));
  const halfLife = chance.scaleBetween(shape === 'shift' ? Math.min(8, longest / 2) : 2, longest);
  const rise = shape === 'delayed' ? chance.whole(2, Math.max(2, Math.min(10, Math.round(halfLife)))) : 0;
  const size = chance.scaleBetween(...(plan.size ?? [0.5, 4]));
  const sign = chance.pick([1, 1, 1, -1, -1] as const);
  const unit = curveOf(shape, halfLife, rise, before);
  const largest = { ...unit, values: unit.values.map(part => part * sign * size * residual) };
  const curve = plan.lag ? laterBy(chance.whole(...plan.lag), largest) : largest;
  const scaledBy = chance.pick<ScaledBy>(plan.scaledBy ?? ['nothing']);
  return { effect: { shape, sign, size, scaledBy, halfLife, curve }, before };
}

function laterBy(steps: number, { first, values, peak }: Curve): Curve {
  const later = new Float64Array(steps + values.length);
  later.set(values, steps);
  return { first, values: later, peak: peak + steps };
}

/** What the events of a stream add to each step. */
export function addEffects(into: Float64Array, { events, effect }: Stream): void {
  if (!effect) return;
  const { first, values } = effect.curve;
  for (const { step, strength } of events)
    for (const [i, value] of values.entries()) {
      const at = step + first + i;
      if (at >= 0 && at < into.length) into[at]! += strength * value;
    }
}
