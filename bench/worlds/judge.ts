import { interval, type Rate } from './rates.js';
import type { Shape } from './shapes.js';
import type { ScaledBy, SignalRole, StreamRole, World } from './world.js';

/** What was said of one source, by whoever looked for edges. */
export type Said = {
  readonly key: string;
  readonly validated: boolean;
  /** Why not, the weightiest first; empty where it is validated. */
  readonly reasons: readonly string[];
  readonly halfLifeSteps: number | null;
  /** Of a stream: from an event to the peak of its effect. */
  readonly peakSteps: number | null;
  /** Of a signal: steps by which it is ahead. */
  readonly leadSteps: number | null;
};

/** What was said of one source, beside what is true of it. */
export type Judgement = {
  readonly world: Pick<World, 'seed' | 'kind'>;
  readonly key: string;
  readonly role: StreamRole | SignalRole;
  /** Whether it moves the target, so that it can be forecast from it; null: it did, and does no more. */
  readonly real: boolean | null;
  readonly validated: boolean;
  readonly reasons: readonly string[];
  /** Of what it does, in residual deviations; 0: nothing. */
  readonly size: number;
  /** Of the effect of a stream; null where it has none, and of signals. */
  readonly shape: Shape | null;
  readonly scaledBy: ScaledBy | null;
  /** Of a stream: events in a step of which the target is known; of a signal null. */
  readonly occurrences: number | null;
  /** Of the effect of a stream, in steps. */
  readonly halfLife: number | null;
  /** The half-life that was found over the true one; null where there is none of one of them. */
  readonly halfLifeRatio: number | null;
  /** By how many steps the peak that was found is later than the true one, by the same rule. */
  readonly peakOff: number | null;
  /** Of a signal that leads: by how many steps the lead found is off. */
  readonly leadOff: number | null;
};

const REAL: readonly (StreamRole | SignalRole)[] = ['cause', 'announced', 'leads'];

/** @throws Error where a source of the world is not among what was said */
export function judged(world: World, said: readonly Said[]): readonly Judgement[] {
  const of = (key: string): Said => {
    const found = said.find(each => each.key === key);
    if (!found) throw new Error(`nothing was said of ${key}`);
    return found;
  };
  const whose = { seed: world.seed, kind: world.kind };
  const streams = world.streams.map(({ key, role, effect, events }): Judgement => {
    const { validated, reasons, halfLifeSteps, peakSteps } = of(key);
    return {
      ...{ world: whose, key, role, validated, reasons },
      real: role === 'dying' ? null : REAL.includes(role),
      size: effect?.size ?? 0,
      shape: effect?.shape ?? null,
      halfLife: effect?.halfLife ?? null,
      scaledBy: effect?.scaledBy ?? null,
      occurrences: events.filter(({ step }) => !Number.isNaN(world.target[step]!)).length,
      halfLifeRatio: effect && halfLifeSteps !== null ? halfLifeSteps / effect.halfLife : null,
      peakOff: effect && peakSteps !== null ? peakSteps - effect.curve.peak : null,
      leadOff: null,
    };
  });
  const signals = world.signals.map(({ key, role, lag, size }): Judgement => {
    const { validated, reasons, leadSteps } = of(key);
    return {
      ...{ world: whose, key, role, validated, reasons, size },
      ...{
        shape: null,
        halfLife: null,
        scaledBy: null,
        occurrences: null,
        halfLifeRatio: null,
        peakOff: null,
      },
      real: REAL.includes(role),
      leadOff: role === 'leads' && leadSteps !== null ? leadSteps - lag! : null,
    };
  });
  return [...streams, ...signals];
}

const LEAST_SIZE = 1;
const LEAST_OCCURRENCES = 12;
const NEAR = 1.5;
/** The reasons that say what is wrong with a stream that only seems to act. */
const RIGHT: Readonly<Partial<Record<StreamRole | SignalRole, string>>> = {
  anticipated: 'pre_trend',
  companion: 'confounded',
};

export type Figures = {
  /** Streams of at least one deviation and 12 occurrences. */
  readonly found: Rate;
  /** Of all that are validated, those that move nothing. What died is left out. */
  readonly falsely: Rate;
  /** Worlds in which nothing moves the target that have an edge. */
  readonly noise: Rate;
  /** Within a factor of 1.5, of the true edges of streams that were found. */
  readonly halfLife: Rate;
  /** To a step, or a quarter of the half-life, of the same. */
  readonly peak: Rate;
  /** Refused, with the reason that it is. */
  readonly anticipation: Rate;
  readonly confounding: Rate;
  /** Refused, whatever the reason. */
  readonly refused: Rate;
  readonly leads: Rate;
  /** Of the leads that were found, those whose lag is right to a step. */
  readonly lag: Rate;
};

export function figuresOf(all: readonly Judgement[]): Figures {
  const strong = all.filter(isStrong);
  const validated = all.filter(each => each.validated && each.real !== null);
  const lives = validated.filter(({ real, role }) => real && role !== 'leads');
  const leads = all.filter(({ role }) => role === 'leads');
  const found = leads.filter(each => each.validated);
  const seeming = all.filter(({ role }) => role in RIGHT);
  const noise = new Map<string, boolean>();
  for (const { world, validated: any } of all)
    if (world.kind === 'noise') noise.set(`${world.seed}`, any || (noise.get(`${world.seed}`) ?? false));
  return {
    found: interval(strong, each => each.validated),
    falsely: interval(validated, ({ real }) => real === false),
    noise: interval([...noise.values()], any => any),
    halfLife: interval(lives, ({ halfLifeRatio: off }) => off !== null && off <= NEAR && off >= 1 / NEAR),
    peak: interval(
      lives,
      ({ peakOff: off, halfLife }) => off !== null && Math.abs(off) <= Math.max(1, halfLife! / 4),
    ),
    anticipation: interval(
      all.filter(({ role }) => role === 'anticipated'),
      rightly,
    ),
    confounding: interval(
      all.filter(({ role }) => role === 'companion'),
      rightly,
    ),
    refused: interval(seeming, each => !each.validated),
    leads: interval(leads, each => each.validated),
    lag: interval(found, ({ leadOff }) => leadOff !== null && Math.abs(leadOff) <= 1),
  };
}

/** Whether it is one of those that have to be found. */
export const isStrong = ({ real, size, occurrences }: Judgement): boolean =>
  real === true && size >= LEAST_SIZE && occurrences !== null && occurrences >= LEAST_OCCURRENCES;

/** Whether it is refused for what it is. */
export const rightly = ({ role, validated, reasons }: Judgement): boolean =>
  !validated && reasons.includes(RIGHT[role] ?? '');
