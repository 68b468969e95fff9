import type { EventStore } from '../../commands/ports/event-store.js';
import type { Log } from '../../commands/ports/log.js';
import type { Fact } from '../../domain/fact.js';
import type { Stored } from '../../projections/engine/read-models.js';
import { isPassing } from './failures.js';
import type { SetAside } from './set-aside.js';
import type { SetAsideFact } from './set-aside-facts.js';

type SetAsideDocument = Stored<SetAsideFact>;
/** What came of an attempt to answer a fact; `error`: null when it is answered. */
export type Outcome = { readonly fact: Fact | SetAsideDocument; readonly error: unknown };

type Answering = {
  readonly reactor: string;
  /** Null for a fact that the reactor has no answer to. */
  readonly answer: (fact: Fact) => Promise<void> | null;
  readonly store: Pick<EventStore, 'read'>;
  readonly log: Log;
};

/**
 * Makes attempts to answer a fact, a new one or one that was set aside. They never reject, so that nothing
 * ends while others are under way.
 */
export function attempting({ reactor, answer, store, log }: Answering) {
  const answerAgain = async (doc: SetAsideDocument): Promise<void> => {
    const [fact] = await store.read(doc.journal, doc.revision - 1, 1);
    const answered = fact?.id === doc.fact_id ? answer(fact) : null;
    if (answered) return answered;
    log.warn({ reactor, fact: doc.fact_id }, 'a fact that was set aside is forgotten: nothing answers it');
  };
  return async (fact: Outcome['fact']): Promise<Outcome> => {
    try {
      await ('fact_id' in fact ? answerAgain(fact) : answer(fact));
      return { fact, error: null };
    } catch (error) {
      return { fact, error };
    }
  };
}

/** Takes note of what came of attempts, and says in the log what failed. */
export function settle(outcomes: readonly Outcome[], setAside: SetAside, reactor: string, log: Log): void {
  const passing: unknown[] = [];
  for (const { fact, error } of outcomes) {
    if (error === null) {
      setAside.done('fact_id' in fact ? fact.fact_id : fact.id);
      continue;
    }
    const { doc, retryInMs } = setAside.failed(fact, error);
    if (isPassing(error)) passing.push(error);
    else tell(doc, error, retryInMs, log);
  }
  // Of a store that is away every fact would say the same
  if (passing.length > 0) log.warn({ reactor, facts: passing.length, err: passing[0] }, WAITING);
}

const WAITING = 'facts wait for a store or for the read models';

function tell(doc: SetAsideDocument, err: unknown, retryInMs: number, log: Log): void {
  const { reactor, fact_id: fact, type, position, workspace, attempts } = doc;
  const said = { reactor, fact, type, position, workspace, attempts, err };
  if (doc.state === 'parked') log.error(said, 'a fact was parked: a reactor failed at it again and again');
  else log.warn({ ...said, retryInMs }, 'a reactor failed at a fact and tries it again later');
}
