import type { GoalCommands } from '../commands/goals/records.js';
import type { Log } from '../commands/ports/log.js';
import { isOverdue } from '../domain/goals/staleness.js';
import type { GoalDoc } from '../projections/goals/documents.js';
import type { GoalQueries } from '../projections/goals/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = {
  readonly queries: Pick<GoalQueries, 'active'>;
  readonly commands: Pick<GoalCommands, 'health'>;
  /** When points of signals last came, epoch ms, by key; of what is not there nothing. */
  readonly lastAt: (workspace: string, keys: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** What an archived workspace has rests. */
  readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly visible: (position: number | null) => Promise<unknown>;
  readonly log: Log;
};

const EVERY_MS = 5_000;

/** Says of goals that are active whether their targets still get data. */
export function goalHealth({
  queries,
  commands,
  lastAt,
  isArchived,
  clock,
  newId,
  visible,
  log,
}: Deps): Running {
  const look = async (workspace: string, docs: readonly GoalDoc[]): Promise<void> => {
    if (await isArchived(workspace)) return;
    const last = await lastAt(workspace, [...new Set(docs.map(({ target }) => target))]);
    for (const { goal_id: goalId, target, state } of docs) {
      const isStale = isOverdue(state.settings, last.get(target) ?? null, clock());
      if (isStale === state.reasons.includes('target_stale')) continue;
      const context = {
        ...{ workspace, actor: 'scheduler:goal-health', request: null, correlation: newId() },
        ...{ causation: null, at: clock() },
      };
      const change = isStale ? { add: ['target_stale'] as const } : { remove: ['target_stale'] as const };
      const { position } = await commands.health({ workspace, goalId }, change, context);
      await visible(position);
    }
  };
  return rounds(EVERY_MS, log, 'the health of goals could not be looked at; tried again', async goesOn => {
    for await (const page of queries.active()) {
      for (const workspace of new Set(page.map(doc => doc.workspace))) {
        if (!goesOn()) return;
        const docs = page.filter(doc => doc.workspace === workspace);
        await look(workspace, docs).catch((err: unknown) =>
          log.error({ err, workspace }, 'the health of goals could not be looked at; tried again'),
        );
      }
    }
  });
}
