import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import { eventCommands } from '../../commands/events.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import { START } from '../../domain/fact.js';
import { isNumericContent, neutralScores } from '../../domain/events/numeric.js';
import type { Scorer } from '../../domain/events/scoring.js';
import { eventQueries } from '../../projections/events/queries.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { reader } from '../../projections/engine/reader.js';
import { dueScheduler } from '../../workers/due.js';
import { scoring } from '../../workers/scoring.js';

export const quiet = { info() {}, warn() {}, error() {} };
/** A score that is a pure function of the text, cheap enough for a hundred thousand of them. */
export const rankOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % 101;
export const plainScorer: Scorer = {
  version: 'plain-1',
  close: async () => {},
  score: async ({ text }) => ({
    scores: { ...neutralScores(), rank: rankOf(text) },
    reasons: [],
    version: 'plain-1',
  }),
};
const uuids = () => {
  let n = 0;
  return () => `00000000-0000-4000-8000-${String(n++).padStart(12, '0')}`;
};

/**
 * Commands, projection, scoring and scheduler over memory stores, with a clock that stands until it is moved.
 * `caughtUp`: of a projector that runs beside it; without one, scoring has projected what it must see.
 */
export async function world(
  models: ReadModels = memoryReadModels(),
  caughtUp?: (position: number) => Promise<boolean>,
) {
  const store = memoryEventStore();
  const newId = uuids();
  const clock = { now: 1_800_000_000_000 };
  const handle = handler(store, newId);
  const means = { handle, load: loader(store) };
  const generationOf = () => 0;
  await models.prepare(collectionsOf(eventsProjection, 0));
  const queries = eventQueries(reader(models, eventsProjection, generationOf));
  let reacted = START;
  const context = (workspace: string): Context => ({
    workspace,
    actor: 'token:t',
    request: null,
    correlation: 'c',
    causation: null,
    at: clock.now,
  });
  const project = async (pageSize = 7) => {
    for (;;) {
      const page = await store.page(await models.checkpoint(checkpointName(eventsProjection, 0)), pageSize);
      if (page.length === 0) return;
      await applyPage(eventsProjection, models, 0, page);
    }
  };
  const reactor = scoring({
    scorer: plainScorer,
    profileOf: async () => ({ version: '', description: '', phrases: [] }),
    log: quiet,
    concurrency: 1,
    queries,
    caughtUp:
      caughtUp
      ?? (async () => {
        await project();
        return true;
      }),
  });
  return {
    store,
    models,
    queries,
    clock,
    context,
    project,
    commands: eventCommands(handle),
    numeric: (text: string) => isNumericContent(text, 'text'),
    async score() {
      for (const fact of await store.page(reacted, 100_000)) {
        reacted = fact.position;
        await reactor.on[fact.type]?.(fact as never, context(fact.meta.workspace!), means);
      }
    },
    /** One round of the scheduler. */
    async comeDue() {
      await project();
      const scheduler = dueScheduler({
        queries,
        handle,
        clock: () => clock.now,
        newId,
        visible: () => project(),
        log: quiet,
      });
      await new Promise(resolve => setTimeout(resolve, 2));
      await scheduler.stop();
    },
  };
}
