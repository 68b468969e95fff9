import { Counter, Gauge, type Registry } from 'prom-client';

/** A state that is looked up when somebody asks, such as a length of a queue. */
export type Figure = {
  /** With its unit, as `presage_scoring_backlog_events`. */
  readonly name: string;
  readonly help: string;
  /** It only grows, but for a new start of the process. */
  readonly grows?: true;
  /** The one label that tells its values apart; null: there is one value. */
  readonly label: string | null;
  /** Each value under what its label says. May fail: then the figure is left out this time. */
  readonly look: () => Promise<readonly (readonly [label: string, value: number])[]>;
};

/** A store that does not answer must not keep the other figures from those who look for the reason. */
const LOOK_WITHIN_MS = 2_000;

/** Shows figures beside what is counted. */
export function figuresIn(registry: Registry): (figures: readonly Figure[]) => void {
  const failures = new Counter({
    name: 'presage_figure_failures_total',
    help: 'Figures that could not be looked up, or not in time, and were left out',
    labelNames: ['figure'],
    registers: [registry],
  });
  return figures => {
    for (const { name, help, grows = false, label, look } of figures) {
      const shown = new (grows ? Counter : Gauge)({
        name,
        help,
        labelNames: label === null ? [] : [label],
        registers: [registry],
        async collect() {
          const found = await inTime(look);
          shown.reset();
          // One without labels would say 0
          if (label === null) shown.remove();
          if (found === null) failures.inc({ figure: name });
          for (const [value, figure] of found ?? [])
            shown.inc(label === null ? {} : { [label]: value }, figure);
        },
      });
    }
  };
}

/** Null when it fails or takes too long. */
async function inTime<T>(look: () => Promise<T>): Promise<T | null> {
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise<null>(resolve => {
    timeout = setTimeout(resolve, LOOK_WITHIN_MS, null);
  });
  try {
    return await Promise.race([look(), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timeout);
  }
}
