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
  for (const run of runsOf(known, own)) {
    const before = now;
    for (const h of run) now = changedAt(now, h, value => atStep(known, own, h, value));
    const next = run.at(-1)! + 1;
    if (next >= horizon) break;
    const goneOn = ({ mean }: Columns) => Float64Array.from([...changed, ...mean.slice(0, next)]);
    const [was, is] = [goneOn(before), goneOn(now)];
    now = answeredFrom(now, next, await ask(was, horizon - next), await ask(is, horizon - next));
  }
  return now;
}

/** Steps ahead that something is assumed of, those that follow each other together. */
function runsOf({ allTimes, times }: Known, own: Own): number[][] {
  const ahead = allTimes.length - times.length;
  const places = own.flatMap(one => placesIn(allTimes, one, ahead)).map(({ i }) => i);
  const touched = new Set(places.filter(i => i >= ahead));
  const runs: number[][] = [];
  for (const i of [...touched].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && run.at(-1) === i - ahead - 1) run.push(i - ahead);
    else runs.push([i - ahead]);
  }
  return runs;
}

/** A value of a step ahead with all that is assumed of it, in order. */
function atStep({ allTimes, times }: Known, own: Own, step: number, value: number): number {
  const ahead = allTimes.length - times.length;
  return own.reduce((now, one) => {
    const found = placesIn(allTimes, one, ahead).find(({ i }) => i === ahead + step);
    return found ? assumed(one, now, found.place) : now;
  }, value);
}
