import {
  assumed,
  isOfSignal,
  type Assumption,
  type SignalAssumption,
} from '../../domain/scenarios/assumptions.js';
import type { Columns } from '../../domain/scenarios/facts.js';
import { withAssumed, type Known } from '../../domain/scenarios/known.js';
import { answeredFrom, changedAt, placesIn, type Forecasted } from '../../domain/scenarios/path.js';

/** What the model of the base forecasts of a history of the target that may go on into the steps ahead. */
export type AskModel = (values: Float64Array, horizon: number) => Promise<Forecasted>;
type Own = readonly SignalAssumption[];

/**
 * A path of the target with what is assumed of the target itself. What is assumed of values before the first
 * step ahead changes the history, and the model's answer to that moves the path. What is assumed of steps
 * ahead holds there, and the model goes on from it: each run of such steps is to it as if it had been
 * measured.
 */
export async function withTarget(
  known: Known,
  path: Columns,
  assumptions: readonly Assumption[],
  ask: AskModel,
): Promise<Columns> {
  const { issued, history, allTimes, times } = known;
  const own = assumptions.filter(isOfSignal).filter(({ key }) => key === issued.read.key);
  if (own.length === 0) return path;
  const { values } = history;
  const all = new Float64Array(allTimes.length).fill(NaN);
  all.set(values);
  const changed = withAssumed(all, allTimes, values.length, own).subarray(0, values.length);
  const horizon = times.length;
  let now = path;
  if (changed.some((value, i) => !Object.is(value, values[i])))
    now = answeredFrom(now, 0, await ask(values, horizon), await ask(changed, horizon));
  const atSteps = own.map(one => placesAhead(known, one));
  for (const run of runsOf(atSteps)) {
    const before = now;
    now = changedAt(now, run, (value, h) => atStep(own, atSteps, h, value));
    const next = run.at(-1)! + 1;
    if (next >= horizon) break;
    const goneOn = ({ mean }: Columns) => Float64Array.from([...changed, ...mean.slice(0, next)]);
    const [was, is] = [goneOn(before), goneOn(now)];
    now = answeredFrom(now, next, await ask(was, horizon - next), await ask(is, horizon - next));
  }
  return now;
}

/** Which steps ahead are in an assumption's window, and the place of each there. */
type Places = ReadonlyMap<number, number>;

function placesAhead({ allTimes, times }: Known, one: SignalAssumption): Places {
  const ahead = allTimes.length - times.length;
  const placed = placesIn(allTimes, one, ahead).filter(({ i }) => i >= ahead);
  return new Map(placed.map(({ i, place }) => [i - ahead, place]));
}

/** Steps ahead that something is assumed of, those that follow each other together. */
function runsOf(atSteps: readonly Places[]): number[][] {
  const touched = new Set(atSteps.flatMap(places => [...places.keys()]));
  const runs: number[][] = [];
  for (const h of [...touched].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && run.at(-1) === h - 1) run.push(h);
    else runs.push([h]);
  }
  return runs;
}

/** A value of a step ahead with all that is assumed of it, in order. */
const atStep = (own: Own, atSteps: readonly Places[], step: number, value: number): number =>
  own.reduce((now, one, k) => {
    const place = atSteps[k]!.get(step);
    return place === undefined ? now : assumed(one, now, place);
  }, value);
