import { fold, journalOf, type Decider } from '../../domain/decider.js';
import { START, type Fact, type Message } from '../../domain/fact.js';
import type { EventStore } from '../ports/event-store.js';

/** A state of a journal as it is thought to stand: at a revision, made by the fact at a position. */
export type KnownState<S> = {
  readonly state: S;
  readonly revision: number;
  readonly position: number | null;
};

/** A journal thought not to exist. */
export const unwritten = <C extends Message, E extends Message, S>({
  initialState,
}: Decider<C, E, S>): KnownState<S> => ({ state: initialState, revision: START, position: null });

/** So many facts of a journal are in memory at a time, however long it is. */
export const JOURNAL_PAGE = 256;

/** A journal as far as it was read: `next` is the place in the page of what was not taken yet. */
type Reading = { readonly journal: string; page: readonly Fact[]; next: number };

/**
 * The state that a journal has led to, from what is known of it on; page by page. With `within` the facts of
 * other journals are folded in among its own, from its beginning on, which `from` must be.
 */
export async function loaded<C extends Message, E extends Message, S>(
  store: EventStore,
  decider: Decider<C, E, S>,
  id: string,
  command: C | null,
  from: KnownState<S>,
): Promise<KnownState<S>> {
  const journal = journalOf(decider, id);
  const first = await store.read(journal, from.revision, JOURNAL_PAGE);
  let known = further(decider, from, first);
  for (let page: readonly Fact[] = first; page.length === JOURNAL_PAGE; known = further(decider, known, page))
    page = await store.read(journal, known.revision, JOURNAL_PAGE);
  return amongOthers(store, decider, id, command, known, first);
}

/**
 * The same without reading the journal itself: it stands as it is thought to. There at once when no other
 * journal matters.
 */
export const guessed = <C extends Message, E extends Message, S>(
  store: EventStore,
  decider: Decider<C, E, S>,
  id: string,
  command: C | null,
  from: KnownState<S>,
): KnownState<S> | Promise<KnownState<S>> => amongOthers(store, decider, id, command, from, []);

/** `own`: the first page of its own journal. */
function amongOthers<C extends Message, E extends Message, S>(
  store: EventStore,
  decider: Decider<C, E, S>,
  id: string,
  command: C | null,
  known: KnownState<S>,
  own: readonly Fact[],
): KnownState<S> | Promise<KnownState<S>> {
  const around = decider.within?.(known.state, id, command) ?? [];
  if (around.length === 0) return known;
  const others = around.map(async (journal): Promise<Reading> => {
    const page = await store.read(journal, START, JOURNAL_PAGE);
    return { journal, page, next: 0 };
  });
  const journal = journalOf(decider, id);
  return Promise.all(others).then(async read => {
    let { revision, position } = known;
    let state = decider.initialState;
    for await (const fact of inOrder(store, [{ journal, page: own, next: 0 }, ...read])) {
      state = decider.evolve(state, fact as Fact<E>);
      if (fact.journal === journal) ({ revision, position } = fact);
    }
    return { state, revision, position };
  });
}

function further<C extends Message, E extends Message, S>(
  decider: Decider<C, E, S>,
  { state, revision, position }: KnownState<S>,
  page: readonly Fact[],
): KnownState<S> {
  const last = page.at(-1);
  return {
    state: fold(decider, state, page),
    revision: last?.revision ?? revision,
    position: last?.position ?? position,
  };
}

/** The facts of several journals in the order of the log, a page of each in memory. */
async function* inOrder(store: EventStore, readings: readonly Reading[]): AsyncGenerator<Fact> {
  for (;;) {
    let earliest: Reading | null = null;
    for (const reading of readings) {
      if (reading.next === JOURNAL_PAGE) await turnOver(store, reading);
      const fact = reading.page[reading.next];
      if (fact && (!earliest || fact.position < earliest.page[earliest.next]!.position)) earliest = reading;
    }
    if (!earliest) return;
    yield earliest.page[earliest.next++]!;
  }
}

async function turnOver(store: EventStore, reading: Reading): Promise<void> {
  reading.page = await store.read(reading.journal, reading.page.at(-1)!.revision, JOURNAL_PAGE);
  reading.next = 0;
}
