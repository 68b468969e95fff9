import { chanceOf, type Chance } from './chance.js';
import { groundOf, noiseOf, type Ground } from './ground.js';
import { planOf, type Plan } from './kinds.js';
import { idleSignal, leadOf } from './signals.js';
import { addEffects, streamOf } from './streams.js';
import { TOPICS } from './texts.js';
import type { Kind, Parts, Revision, Signal, Stream, World } from './world.js';

/** `quiet`: without noise, holes and revisions, to see what was planted. */
export type Making = { readonly quiet?: boolean };

/**
 * The world of a seed and a kind: a target with everything that is known to move it, and what only seems to.
 * Pure: the same seed and kind make the same world. Effects begin in the step that holds the event: the point
 * named by its beginning, whose value is known when it ends.
 */
export function worldOf(seed: number, kind: Kind, { quiet = false }: Making = {}): World {
  const chance = (label: string): Chance => chanceOf(seed, `${kind} ${label}`);
  const plan = planOf(kind, chance('plan'));
  const noise = chance('kind of noise').pick(plan.noise);
  const ground = groundFor(chance, plan, noise === 'counts');
  const { start, stepMs, steps, periods, sigma, level, season, holidays } = ground;

  const leads = plan.signals.map((role, i) =>
    role === 'leads'
      ? leadOf(chance(`lead ${i}`), ground, chance(`lead size ${i}`).scaleBetween(0.3, 1))
      : null,
  );
  const leading = new Float64Array(steps);
  for (const lead of leads) lead?.adds.forEach((x, t) => (leading[t]! += x));
  const told = leads.reduce((sum, lead) => sum + (lead ? lead.size ** 2 : 0), 0);
  const residual = sigma * Math.sqrt(1 + told);

  const streams = streamsOf(chance, plan, ground, residual);
  const effects = new Float64Array(steps);
  for (const stream of streams) addEffects(effects, stream);

  const drawn = noiseOf(chance('noise'), noise, steps, quiet ? 0 : sigma);
  const parts: Parts = { level, season, holidays, leading, effects, noise: drawn };
  const whole = targetOf(chance('counts'), parts, noise === 'counts' && !quiet);
  const target = quiet ? whole : withHoles(chance('holes'), whole, plan);
  const signals = plan.signals.map((role, i): Signal => {
    const lead = leads[i];
    const key = `signal-${i + 1}`;
    if (role !== 'leads') return idleSignal(chance(key), role, key, ground, whole);
    return { key, role, values: lead!.values, lag: lead!.lag, size: lead!.size };
  });
  const revisions = quiet ? [] : revisionsOf(chance('revisions'), target, plan.revised, ground);
  return {
    ...{ seed, kind, start, stepMs, steps, periods, noise, sigma, residual },
    ...{ target, parts, revisions, streams, signals },
  };
}

/** Drawn again until it has a season, where one is needed. */
function groundFor(chance: (label: string) => Chance, { seasonal }: Plan, counts: boolean): Ground {
  for (let i = 0; ; i++) {
    const ground = groundOf(chance(`ground ${i}`), counts);
    if (!seasonal || ground.periods.length > 0) return ground;
  }
}

/** Names do not tell what a stream is: topics are dealt out, and the streams come by name. */
function streamsOf(
  chance: (label: string) => Chance,
  plan: Plan,
  ground: Ground,
  residual: number,
): readonly Stream[] {
  const deal = chance('topics');
  const topics = TOPICS.map(topic => ({ topic, order: deal.next() })).sort((a, b) => a.order - b.order);
  const streams: Stream[] = [];
  for (const [i, each] of plan.streams.entries()) {
    const { topic } = topics[i]!;
    streams.push(
      streamOf(chance(`stream ${i}`), each, { ground, residual, topic, cause: streams[0] ?? null }),
    );
  }
  return streams.sort((a, b) => (a.key < b.key ? -1 : 1));
}

function targetOf(chance: Chance, parts: Parts, counts: boolean): Float64Array {
  const columns = Object.values(parts);
  return parts.level.map((_, t) => {
    const sum = columns.reduce((total, column) => total + column[t]!, 0);
    return counts ? chance.poisson(Math.max(0, sum)) : sum;
  });
}

function withHoles(chance: Chance, whole: Float64Array, { missing, gaps }: Plan): Float64Array {
  const target = whole.map(x => (chance.happens(missing) ? NaN : x));
  for (let i = 0; i < gaps; i++) {
    const from = chance.whole(0, target.length - 21);
    target.fill(NaN, from, from + chance.whole(5, 20));
  }
  return target;
}

function revisionsOf(
  chance: Chance,
  target: Float64Array,
  share: number,
  { start, stepMs, sigma }: Ground,
): readonly Revision[] {
  const revisions: Revision[] = [];
  for (const [step, value] of target.entries())
    if (chance.happens(share) && !Number.isNaN(value)) {
      const correctedAt = start + (step + 1 + chance.whole(1, 40)) * stepMs;
      revisions.push({ step, was: value + 2 * sigma * chance.normal(), correctedAt });
    }
  return revisions;
}
