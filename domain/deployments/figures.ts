/** How calls of a deployment went within a minute; `minute`: its beginning, epoch ms. */
export type CallsOfMinute = { readonly minute: number; readonly count: number; readonly errors: number };

/** How the calls of a deployment went within the last hour. */
export type Figures = {
  readonly inFlight: number;
  /** When the last call came, epoch ms; null: none did. */
  readonly usedAt: number | null;
  readonly count: number;
  readonly errors: number;
  /** How many calls that worked took as long as `classOf` says; the rest of the classes are empty. */
  readonly latencies: readonly number[];
  /** The last five minutes, oldest first. */
  readonly recent: readonly CallsOfMinute[];
};

export const NO_CALLS: Figures = {
  inFlight: 0,
  usedAt: null,
  count: 0,
  errors: 0,
  latencies: [],
  recent: [],
};

/** Each class of latencies ends a fifth above the one before: what is read from them is within a tenth. */
const WIDER = 1.2;
const CLASSES = 96;
/** The class that ends at one millisecond. */
const MILLISECOND = 25;

/** The class of a latency in ms: 0 is all up to .01 ms, 95 all from 300 s on. */
export const classOf = (ms: number): number => {
  const steps = Math.ceil(Math.log(Math.max(ms, 0.001)) / Math.log(WIDER));
  return Math.min(CLASSES - 1, Math.max(0, steps + MILLISECOND));
};

/** Ms that a share of the calls took at most, within a tenth; null without calls. */
export function latencyAt(share: number, { latencies }: Pick<Figures, 'latencies'>): number | null {
  const count = latencies.reduce((sum, some) => sum + some, 0);
  if (count === 0) return null;
  const wanted = Math.max(1, Math.ceil(share * count));
  let seen = 0;
  const index = latencies.findIndex(some => {
    seen += some;
    return seen >= wanted;
  });
  return WIDER ** (index - MILLISECOND - 0.5);
}

/** What several processes saw of one deployment, as one. */
export function together(all: readonly Figures[]): Figures {
  const sum = (of: (figures: Figures) => number): number => all.reduce((total, each) => total + of(each), 0);
  const classes = Math.max(0, ...all.map(({ latencies }) => latencies.length));
  return {
    inFlight: sum(({ inFlight }) => inFlight),
    usedAt: all.reduce<number | null>((last, { usedAt }) => later(last, usedAt), null),
    count: sum(({ count }) => count),
    errors: sum(({ errors }) => errors),
    latencies: Array.from({ length: classes }, (_, i) => sum(({ latencies }) => latencies[i] ?? 0)),
    recent: all.flatMap(({ recent }) => recent),
  };
}

const later = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

/** Calls since a time, of those of the last five minutes; a minute counts when it began since then. */
export function callsSince({ recent }: Figures, since: number): { count: number; errors: number } {
  const those = recent.filter(({ minute }) => minute >= since);
  return {
    count: those.reduce((sum, { count }) => sum + count, 0),
    errors: those.reduce((sum, { errors }) => sum + errors, 0),
  };
}
