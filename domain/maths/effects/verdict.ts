import type { Interval, Reason, Verdict } from './answer.js';

/** What a candidate is judged by. Null where it could not be measured. */
export type Evidence = {
  readonly kind: 'event_stream' | 'signal';
  readonly alpha: number;
  /** Of a stream; null of a signal. */
  readonly occurrences: number | null;
  readonly qValue: number;
  /** Beside no other source. */
  readonly pAlone: number;
  readonly placeboP: number;
  readonly lift: number | null;
  readonly interval: Interval | null;
  readonly stability: number | null;
  /** Null: it was not tested, or does not matter (known in advance, a signal). */
  readonly preTrendP: number | null;
  readonly confoundedBy: readonly string[];
};

/** What validation needs. */
export const FEWEST_OCCURRENCES = 8;
export const LEAST_STABILITY = 0.6;
const LARGEST_PLACEBO_P = 0.05;
const LARGEST_PRE_TREND_P = 0.05;
/** A candidate has a q below this. */
export const CANDIDATE_Q = 0.1;

/** Every need of validation that is not met, the weightiest first. */
export function reasonsOf(e: Evidence): Reason[] {
  const found: (Reason | false)[] = [
    e.confoundedBy.length > 0 && {
      code: 'confounded',
      text: confoundedText(e),
    },
    e.preTrendP !== null
      && e.preTrendP < LARGEST_PRE_TREND_P && {
        code: 'pre_trend',
        text: `The target moves before the event (p ${figure(e.preTrendP)}), which nobody knew of then`,
      },
    e.occurrences !== null
      && e.occurrences < FEWEST_OCCURRENCES && {
        code: 'too_few_occurrences',
        text: `It occurred ${e.occurrences} times in the target's time; ${FEWEST_OCCURRENCES} are needed`,
      },
    e.confoundedBy.length === 0 && significance(e),
    e.placeboP >= LARGEST_PLACEBO_P && {
      code: 'placebo',
      text: `${figure(e.placeboP)} of shifted times did as well; less than ${LARGEST_PLACEBO_P} is needed`,
    },
    !(e.interval !== null && e.interval[0] > 0) && {
      code: 'no_lift',
      text:
        e.interval === null
          ? 'No forecasts with it were tried: there was too little to try, or to hope for'
          : `Forecasts with it are not surely better: ${liftText(e.lift!, e.interval)}`,
    },
    e.stability !== null
      && e.stability < LEAST_STABILITY && {
        code: 'unstable',
        text: `The effect shows in ${figure(e.stability)} of windows; ${LEAST_STABILITY} is needed`,
      },
  ];
  return found.filter(reason => reason !== false);
}

function significance({ qValue, alpha }: Evidence): Reason | false {
  if (qValue < alpha) return false;
  const code = qValue < CANDIDATE_Q ? 'not_significant' : 'no_effect';
  return { code, text: `Chance alone may do as much: q ${figure(qValue)}; below ${alpha} is needed` };
}

function confoundedText({ pAlone, confoundedBy }: Evidence): string {
  const alone = `Alone it goes with the target (p ${figure(pAlone)})`;
  if (confoundedBy.includes('own_past')) return `${alone}; but after it or with it, and does not lead it`;
  return `${alone}; beside ${confoundedBy.join(', ')} it adds nothing`;
}

const liftText = (lift: number, [low, high]: Interval): string =>
  `lift ${figure(lift)}, 90% from ${figure(low)} to ${figure(high)}`;

/** Four significant digits. */
const figure = (x: number): string => String(Number(x.toPrecision(4)));

const REFUSES: readonly Reason['code'][] = ['confounded', 'pre_trend', 'no_effect'];

/** `refused`: what stands against it is no lack of data. */
export function verdictOf(reasons: readonly Reason[]): Verdict {
  if (reasons.length === 0) return 'validated';
  return reasons.some(({ code }) => REFUSES.includes(code)) ? 'refused' : 'candidate';
}
