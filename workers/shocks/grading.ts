import type { ShockCommands } from '../../commands/shocks/records.js';
import type { Fact } from '../../domain/fact.js';
import type { GoalActualsCame, GoalForecastIssued } from '../../domain/forecasts/facts.js';
import type { GradedStep } from '../../domain/shocks/facts.js';
import { gradedStep } from '../../domain/shocks/grading.js';
import type { ForecastQueries } from '../../projections/forecasts/queries.js';
import type { ShockQueries } from '../../projections/shocks/queries.js';
import { ReadModelsBehind } from '../engine/failures.js';
import type { Reactor } from '../engine/reactor.js';

type Deps = {
  readonly queries: Pick<ShockQueries, 'ofGoal'>;
  readonly forecasts: Pick<ForecastQueries, 'forecast'>;
  readonly shocks: Pick<ShockCommands, 'grade'>;
  /** Resolves true when the read models of shocks hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
};
type Issued = GoalForecastIssued['data'];

/** So many of the newest forecasts that waited for a step are looked at. */
const NEWEST = 50;

/** Grades what was made in shocks as actuals come, by the parts that it was blended of. */
export const shockGrading = ({ queries, forecasts, shocks, caughtUp }: Deps): Reactor => ({
  name: 'shock-grading',
  concurrency: 4,
  on: {
    async GoalActualsCame({ data: { goalId, steps }, meta, position }: Fact<GoalActualsCame>, context) {
      const workspace = meta.workspace!;
      if (!(await caughtUp(position)))
        throw new ReadModelsBehind(`the read models of shocks do not hold ${position} yet`);
      if (!(await queries.ofGoal(workspace, goalId))) return;
      const read = reading(id => forecasts.forecast(workspace, id));
      const byEpisode = new Map<string, GradedStep[]>();
      for (const step of [...steps].sort((a, b) => a.time - b.time)) {
        const made = await Promise.all(step.forecastIds.slice(-NEWEST).map(read));
        const inShocks = made.filter((issued): issued is Issued => Boolean(issued?.shock));
        const episodeId = inShocks.at(-1)?.shock?.episodeId;
        if (episodeId === undefined) continue;
        const own = inShocks.filter(({ shock }) => shock!.episodeId === episodeId);
        const graded = gradedStep(step, own);
        if (graded) byEpisode.set(episodeId, [...(byEpisode.get(episodeId) ?? []), graded]);
      }
      for (const [episodeId, graded] of byEpisode)
        await shocks.grade({ workspace, goalId }, { episodeId, steps: graded }, context);
    },
  },
});

/** Each forecast is read once. */
function reading(
  find: (forecastId: string) => Promise<{ readonly issued: Issued } | null>,
): (forecastId: string) => Promise<Issued | null> {
  const known = new Map<string, Promise<Issued | null>>();
  return forecastId => {
    const found = known.get(forecastId) ?? find(forecastId).then(doc => doc?.issued ?? null);
    known.set(forecastId, found);
    return found;
  };
}
