import { fold, journalOf, type Decider } from '../../domain/decider.js';
import { START, type Fact, type Message } from '../../domain/fact.js';
import { fairTurn } from '../../fair-turns.js';
import type { EventStore } from '../ports/event-store.js';

/** The facts of a journal that were decided until a moment, epoch ms, oldest first. */
export type FactsThen = (journal: string, asOf: number) => Promise<readonly Fact[]>;

const PAGE = 1_000;

export const factsThen =
  (store: Pick<EventStore, 'read'>): FactsThen =>
  async (journal, asOf) => {
    const found: Fact[] = [];
    for (let after = START; ; ) {
      const page = await store.read(journal, after, PAGE);
      const end = page.findIndex(({ at }) => at > asOf);
      found.push(...(end < 0 ? page : page.slice(0, end)));
      if (end >= 0 || page.length < PAGE) return found;
      after = page.at(-1)!.revision;
    }
  };

const SHORT_PAGE = 256;

/** The same of a long journal, page by page, each in a turn that is fair among workspaces. */
export async function* factPagesThen(
  store: Pick<EventStore, 'read'>,
  workspace: string,
  journal: string,
  asOf: number,
): AsyncGenerator<readonly Fact[]> {
  for (let after = START; ; ) {
    await fairTurn(workspace);
    const page = await store.read(journal, after, SHORT_PAGE);
    const end = page.findIndex(({ at }) => at > asOf);
    yield end < 0 ? page : page.slice(0, end);
    if (end >= 0 || page.length < SHORT_PAGE) return;
    after = page.at(-1)!.revision;
  }
}

/** The state of one thing as it stood at a moment; see `Load`. Of deciders that follow no other journals. */
export const stateThen =
  (facts: FactsThen) =>
  async <C extends Message, E extends Message, S>(
    decider: Omit<Decider<C, E, S>, 'within'>,
    id: string,
    asOf: number,
  ): Promise<S> =>
    fold(decider, decider.initialState, await facts(journalOf(decider, id), asOf));
