import type { Context, Handle } from '../commands/engine/handle.js';
import type { SourceCommands } from '../commands/ingestion/sources.js';
import type { Log } from '../commands/ports/log.js';
import { Rejected } from '../domain/rejected.js';
import { DELIVERIES_SHOWN_FOR, dayOf, webhookDays } from '../domain/ingestion/forgetting.js';
import { DAY, SECOND } from '../domain/time.js';
import type { SourceDoc } from '../projections/ingestion/source-documents.js';
import type { SourceQueries } from '../projections/ingestion/source-queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = {
  readonly queries: Pick<SourceQueries, 'due' | 'oldestDay'>;
  readonly sources: Pick<SourceCommands, 'markFailing' | 'keep'>;
  readonly handle: Handle;
  readonly clock: () => number;
  readonly newId: () => string;
  /** Waits, a bounded time, until the read models of ingestion hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
  readonly log: Log;
};

const EVERY_MS = SECOND;
const AT_ONCE = 100;

/**
 * Marks sources that fail again and again, and those that recovered, as their documents tell; and forgets
 * deliveries when they are old. The deciders have the last word.
 */
export function sourceKeeping(deps: Deps): Running {
  const { queries, clock, handle, visible, log } = deps;
  const forget = async (): Promise<void> => {
    const before = dayOf(clock() - DELIVERIES_SHOWN_FOR - DAY);
    const day = await queries.oldestDay(before);
    if (day === null) return;
    const command = { type: 'ForgetWebhookDay', data: { day } } as const;
    const { position } = await handle(webhookDays, command, contextOf(deps, null));
    await visible(position);
  };
  return rounds(EVERY_MS, log, 'sources were not looked after; tried again', async goesOn => {
    for (const doc of await queries.due(AT_ONCE)) if (goesOn()) await keep(doc, deps);
    if (goesOn()) await forget();
  });
}

async function keep(doc: SourceDoc, deps: Deps): Promise<void> {
  const { sources, visible } = deps;
  const { _id: sourceId, workspace, failures, last_error: error } = doc;
  const context = contextOf(deps, workspace);
  try {
    const { position } =
      doc.due === 'failing'
        ? await sources.markFailing(
            {
              ...{ workspace, sourceId, failures },
              code: error?.code ?? 'internal_error',
              message: error?.message ?? '',
            },
            context,
          )
        : await sources.keep(workspace, sourceId, 'MarkSourceRecovered', context);
    await visible(position);
  } catch (failed) {
    // It was deleted meanwhile
    if (!(failed instanceof Rejected && failed.kind === 'missing')) throw failed;
  }
}

const contextOf = ({ clock, newId }: Deps, workspace: string | null): Context => ({
  ...{ workspace, actor: 'scheduler:source keeping', request: null },
  ...{ correlation: newId(), causation: null, at: clock() },
});
