import { replacementIn } from '../../domain/deployments/served.js';
import { composed, type Composed } from '../../domain/forecasts/composing.js';
import { NAIVE, orderOf, type Candidate } from '../../domain/forecasts/order.js';
import type { ServedModel } from '../../domain/goals/model.js';
import type { ForecastBy, Replaced, TargetHistory } from '../../domain/goals/ports.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import type { SeriesForecasted, Warning } from '../../domain/inference/forecasting.js';
import { Rejected } from '../../domain/rejected.js';
import type { Log } from '../ports/log.js';
import { wantedOf } from './wanted.js';

export type ServingDeps = {
  readonly forecastBy: ForecastBy;
  readonly replaced: Replaced;
  /** A foundation model that is asked as it is; null: none is served here. */
  readonly generalist: () => Promise<{ readonly model: ServedModel; readonly name: string } | null>;
  readonly log: Log;
};

/** A goal whose history is at hand. */
export type Asked = { readonly goalId: string; readonly goal: LiveGoal; readonly history: TargetHistory };
/** What was made for a goal, by whom, and why by nobody before. */
export type Served = {
  readonly by: Candidate;
  readonly made: SeriesForecasted;
  readonly composed: Composed;
  readonly warnings: readonly Warning[];
};
/** What a goal could not be forecast for. */
export type Unserved = { readonly error: unknown };
export const isServed = (one: Served | Unserved): one is Served => 'by' in one;

/**
 * Forecasts goals of a workspace by the first in the order of falling back that can, those with the same
 * model in one call. Each is as if it were alone.
 */
export async function serve(
  deps: ServingDeps,
  workspace: string,
  asked: readonly Asked[],
  signal: AbortSignal,
): Promise<readonly (Served | Unserved)[]> {
  const generalist = await deps.generalist();
  const orders = asked.map(({ goal }) => [
    ...orderOf({ ...goal, fallback: goal.settings.options.fallback }, generalist),
  ]);
  const answers: (Served | Unserved)[] = asked.map(() => ({ error: nobody() }));
  const warnings: Warning[][] = asked.map(({ goal }) => (goal.champion ? [] : [NO_CHAMPION]));
  /** They were retired since they were looked for: what took their place is asked. */
  const again = new Set<Candidate>();
  let open = asked.map((_, i) => i);
  while (open.length > 0) {
    const next = new Map<number, Next>();
    for (const i of open) {
      const candidate = orders[i]!.shift();
      if (!candidate) continue;
      const { warnings: told, ...now } = await deps.replaced(workspace, candidate);
      next.set(i, { candidate, by: { servedBy: candidate.servedBy, ...now }, told });
    }
    for (const group of grouped([...next.keys()], i => keyOf(next.get(i)!.by, asked[i]!))) {
      const { by } = next.get(group[0]!)!;
      const those = group.map(i => asked[i]!);
      const outcomes = await askedOf(deps, workspace, by, those, signal);
      outcomes.forEach((outcome, k) => {
        const i = group[k]!;
        const { candidate, told } = next.get(i)!;
        if ('error' in outcome) {
          signal.throwIfAborted();
          answers[i] = outcome;
          if (replacementIn(outcome.error) !== null && !again.has(candidate)) {
            again.add(candidate);
            orders[i]!.unshift(candidate);
          } else warnings[i]!.push(...told, unavailable(by, outcome.error, deps.log));
        } else {
          const all = [...warnings[i]!, ...told, ...outcome.warnings];
          const { goal, history } = asked[i]!;
          answers[i] = { by, made: outcome, composed: composed(goal, history, outcome), warnings: all };
        }
      });
    }
    open = [...next.keys()].filter(i => !isServed(answers[i]!));
  }
  return answers;
}

/** By seasonal naive alone, which costs nothing. */
export async function serveNaively(
  { forecastBy }: Pick<ServingDeps, 'forecastBy'>,
  workspace: string,
  { goal, history }: Asked,
  why: Warning,
  signal: AbortSignal,
): Promise<Served> {
  const [made] = await forecastBy(workspace, NAIVE.model, [history.series], wantedOf(goal), signal);
  const warnings = [why, ...made!.warnings];
  return { by: NAIVE, made: made!, composed: composed(goal, history, made!), warnings };
}

/** Who is asked where a candidate would be, and why. */
type Next = { readonly candidate: Candidate; readonly by: Candidate; readonly told: readonly Warning[] };

/** Goals with the same key are asked for in one call. */
const keyOf = ({ model, servedBy }: Candidate, { goal }: Asked): string =>
  JSON.stringify([model, servedBy, wantedOf(goal)]);

function grouped(places: readonly number[], keyIn: (place: number) => string): number[][] {
  const groups = new Map<string, number[]>();
  for (const place of places) {
    const key = keyIn(place);
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  return [...groups.values()];
}

/** One that cannot be forecast does not sink the others: then each is asked for by itself. */
async function askedOf(
  deps: ServingDeps,
  workspace: string,
  by: Candidate,
  group: readonly Asked[],
  signal: AbortSignal,
): Promise<readonly (SeriesForecasted | Unserved)[]> {
  const wanted = wantedOf(group[0]!.goal);
  const series = group.map(({ history }) => history.series);
  try {
    return await deps.forecastBy(workspace, by.model, series, wanted, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (group.length === 1) return [{ error }];
    const each: (SeriesForecasted | Unserved)[] = [];
    for (const one of group) each.push(...(await askedOf(deps, workspace, by, [one], signal)));
    return each;
  }
}

export const NO_CHAMPION: Warning = {
  code: 'no_champion',
  message: 'The goal has no champion yet: no tournament has found one',
};

export function unavailable({ servedBy, name }: Candidate, error: unknown, log: Log): Warning {
  if (!(error instanceof Rejected))
    log.error({ err: error, model: name }, 'a goal could not be forecast by it');
  const why = error instanceof Rejected ? error.message : 'Internal error';
  return { code: `${servedBy}_unavailable`, message: `${name} could not forecast it: ${why}` };
}

export const nobody = (): Rejected =>
  new Rejected('conflict', 'no_champion', 'The goal has no champion, and its fallback allows nobody else');
