import type { GoalCommands } from '../commands/goals/records.js';
import type { Context } from '../commands/engine/handle.js';
import { turns } from '../commands/engine/turns.js';
import type { AlertFact } from '../domain/alerts/facts.js';
import type { Fact } from '../domain/fact.js';
import type { AlertQueries } from '../projections/alerts/queries.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { Reactor } from './engine/reactor.js';

type Deps = {
  readonly queries: Pick<AlertQueries, 'failing'>;
  readonly goals: Pick<GoalCommands, 'health'>;
  /** Resolves true when the read models of alerts hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
};

/** Says of goals whether all their alerts could be checked. */
export function alertHealth({ queries, goals, caughtUp }: Deps): Reactor {
  const inTurn = turns<void>();
  const look = async (fact: Fact<AlertFact>, context: Context): Promise<void> => {
    const { goalId } = fact.data;
    const workspace = fact.meta.workspace!;
    if (goalId === null) return;
    await inTurn(`${workspace}/${goalId}`, async () => {
      if (!(await caughtUp(fact.position)))
        throw new ReadModelsBehind(`the read models do not hold ${fact.position} yet`);
      const isFailing = (await queries.failing(workspace, goalId)) > 0;
      const change = { [isFailing ? 'add' : 'remove']: ['alert_failing'] as const };
      await goals.health({ workspace, goalId }, change, context);
    });
  };
  return {
    name: 'alert-health',
    concurrency: 4,
    on: { AlertCheckFailed: look, AlertCheckRecovered: look, AlertChanged: look, AlertDeleted: look },
  };
}
