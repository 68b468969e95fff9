import type { Beside } from '../api/goals/deps.js';
import { analystRows } from '../api/analyst/rows.js';
import { analystCommands } from '../commands/analyst/records.js';
import { newId } from '../commands/engine/ids.js';
import { journalOf } from '../domain/decider.js';
import { START, type Fact } from '../domain/fact.js';
import { goalJournalId, goals as goalDecider } from '../domain/goals/decider.js';
import type { GoalFact } from '../domain/goals/facts.js';
import { iso } from '../domain/time.js';
import { analystProjection } from '../projections/analyst/projection.js';
import { analystQueries } from '../projections/analyst/queries.js';
import { area } from './area.js';
import type { DiscoveryArea } from './discovery.js';
import { edgesThen } from './edges-then.js';
import type { ForecastsArea } from './forecasts.js';
import type { GoalsArea } from './goals.js';
import type { Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';
import type { SignalsArea } from './signals.js';
import type { TournamentsArea } from './tournaments.js';

type On = {
  readonly marketplace: MarketplaceArea;
  readonly signals: SignalsArea;
  readonly goals: GoalsArea;
  readonly forecasts: ForecastsArea;
  readonly tournaments: TournamentsArea;
  readonly discovery: DiscoveryArea;
  readonly beside: Beside;
};

/** Facts of a journal that are read at once. */
const AT_ONCE = 200;

/** A reporter that answers from what is stored of goals. */
export const analystArea = (kernel: Kernel, on: On) => {
  const { handle, stores, read, clock, visibleIn } = kernel;
  const { marketplace, signals, goals, forecasts, tournaments, discovery, beside } = on;
  return area({
    name: 'analyst',
    rows: analystRows({
      queries: analystQueries(read(analystProjection)),
      commands: analystCommands({ handle }),
      goal: goals.queries.goal,
      async goalThen(workspace, goalId, asOf) {
        const journal = journalOf(goalDecider, goalJournalId(workspace, goalId));
        let state = goalDecider.initialState;
        for (let after = START; ; ) {
          const facts = await stores.events.read(journal, after, AT_ONCE);
          for (const fact of facts)
            if (fact.at <= asOf) state = goalDecider.evolve(state, fact as Fact<GoalFact>);
          if (facts.length < AT_ONCE) return state.status === 'none' ? null : state;
          after = facts.at(-1)!.revision;
        }
      },
      ...{ beside, forecasts: forecasts.queries, tournaments: tournaments.queries },
      discoveries: discovery.queries,
      edgesThen: async (...of) => (await edgesThen(kernel).ofGoal(...of)).map(({ state }) => state),
      async signal(workspace, key) {
        const place = await marketplace.queries.resolve(workspace, 'signal', key);
        const doc = place && (await signals.queries.signal(place.workspace, place.key));
        if (!doc) return null;
        return { key, count: doc.count, first_at: isoOf(doc.first_at), last_at: isoOf(doc.last_at) };
      },
      newAnswerId: () => newId('ans_'),
      clock,
      visible: visibleIn(analystProjection),
    }),
  });
};

const isoOf = (at: number | null): string | null => (at === null ? null : iso(at));
