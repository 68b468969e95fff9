import type { Issuing } from '../commands/forecasts/issuing.js';
import { forecastOnce } from '../commands/forecasts/records.js';
import type { Fact } from '../domain/fact.js';
import type { GoalWentActive } from '../domain/goals/facts.js';
import { Rejected } from '../domain/rejected.js';
import type { Reactor } from './engine/reactor.js';

type Deps = {
  readonly issuing: Pick<Issuing, 'issue'>;
  readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
};

/** A goal that becomes active is forecast at once. */
export const firstForecasts = ({ issuing, isArchived }: Deps): Reactor => ({
  name: 'first-forecasts',
  concurrency: 4,
  on: {
    async GoalWentActive({ id, data: { goalId }, meta }: Fact<GoalWentActive>, context) {
      const workspace = meta.workspace!;
      if (await isArchived(workspace)) return;
      const forecastId = forecastOnce(workspace, goalId, id);
      const wanted = { goalId, forecastId, trigger: 'activation', dueAt: null } as const;
      const never = new AbortController().signal;
      const [issued] = await issuing.issue(workspace, [wanted], context, never);
      // What can be mended by nobody but people waits for the next beat
      if (issued?.status === 'failed' && !isFinal(issued.error)) throw issued.error;
    },
  },
});

const isFinal = (error: unknown): boolean => error instanceof Rejected && error.kind !== 'unavailable';
