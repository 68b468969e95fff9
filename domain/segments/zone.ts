import { clockAt, jumpIn } from '../local-time.js';
import { DAY, SECOND } from '../time.js';

/** From one time to another (not included, epoch ms) clocks of a zone are so many ms ahead of UTC. */
export type Span = { readonly from: number; readonly to: number; readonly offset: number };

/** A zone's clocks. Days are counted from 1970-01-01 as clocks show it. */
export type Zone = {
  spanAt(time: number): Span;
  /** What clocks show, as ms of a clock that shows UTC. */
  localAt(time: number): number;
  dayAt(time: number): number;
  /** The first moment of a day; of a day that clocks skip, that of the next. */
  startOfDay(day: number): number;
};

/** Clocks are not set twice within so long. */
const STRETCH = 7 * DAY;
/** No zone is further from UTC. */
const FURTHEST = 16 * 3_600_000;
const KEPT = 512;
const ALWAYS: Span = { from: -Infinity, to: Infinity, offset: 0 };

/** Whether there is a zone of this name. */
export function isZone(timezone: string): boolean {
  try {
    clockAt(0, timezone);
    return true;
  } catch {
    return false;
  }
}

/** @throws RangeError where there is no zone of this name */
export function zoneOf(timezone: string): Zone {
  const spanAt = timezone.toUpperCase() === 'UTC' ? () => ALWAYS : rememberedSpans(timezone);
  const localAt = (time: number): number => time + spanAt(time).offset;
  const dayAt = (time: number): number => Math.floor(localAt(time) / DAY);
  function startOfDay(day: number): number {
    const local = day * DAY;
    for (let at = local - FURTHEST; ; ) {
      const { to, offset } = spanAt(at);
      const start = Math.max(at, local - offset);
      if (start < to) return start;
      at = to;
    }
  }
  return { spanAt, localAt, dayAt, startOfDay };
}

function rememberedSpans(timezone: string): (time: number) => Span {
  const stretches = new Map<number, readonly Span[]>();
  let last: Span = { from: 0, to: 0, offset: 0 };
  return time => {
    if (time >= last.from && time < last.to) return last;
    const from = Math.floor(time / STRETCH) * STRETCH;
    const spans = stretches.get(from) ?? spansFrom(from, timezone);
    if (stretches.size >= KEPT) stretches.clear();
    stretches.set(from, spans);
    last = spans.find(span => time < span.to)!;
    return last;
  };
}

function spansFrom(from: number, timezone: string): readonly Span[] {
  const to = from + STRETCH;
  const offsetAt = (time: number): number => clockAt(time, timezone) - time;
  const jump = jumpIn(from, to - SECOND, timezone);
  if (jump === null) return [{ from, to, offset: offsetAt(from) }];
  return [
    { from, to: jump, offset: offsetAt(from) },
    { from: jump, to, offset: offsetAt(jump) },
  ];
}
