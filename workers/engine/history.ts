import { START, type Fact } from '../../domain/fact.js';
import type { EventStore } from '../../commands/ports/event-store.js';

/** Which facts: all that is given must hold. */
export type Filter = {
  /** The tenant; facts above workspaces have none and are found without this only. */
  readonly workspace?: string;
  readonly journal?: string;
  readonly types?: readonly string[];
  /** Decided at or after, and before: epoch ms. */
  readonly from?: number;
  readonly to?: number;
  readonly correlation?: string;
};
export type LogRange = {
  /** Only facts above this position; START: from the first. */
  readonly after: number;
  /** At most so many facts. */
  readonly limit: number;
  /** Goes on at the end of the log, with what is written from then on, until `signal` is aborted. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
};

const PAGE_SIZE = 500;
const HEARTBEAT_MS = 1_000;

/**
 * What has happened, straight from the log and in its order, whatever the read models say. Reads a page at a
 * time, the next one when the last is used up, so that memory stays flat; whoever has enough just stops. An
 * aborted `signal` ends it quietly.
 */
export async function* history(store: EventStore, filter: Filter, span: LogRange): AsyncGenerator<Fact> {
  const { after, limit, follow = false, signal } = span;
  let left = limit;
  for await (const page of follow ? following(store, after, signal) : pages(store, filter, after)) {
    for (const fact of page) {
      if (signal?.aborted || left === 0) return;
      if (fact.position <= after || !matches(filter, fact)) continue;
      yield fact;
      left--;
    }
    if (signal?.aborted || left === 0) return;
    // A store in this process answers without a pause: others have their turn between two pages
    await new Promise(resolve => setImmediate(resolve));
  }
}

const matches = (
  { workspace, journal, types, from, to, correlation }: Filter,
  { meta, ...fact }: Fact,
): boolean =>
  (workspace === undefined || meta.workspace === workspace)
  && (journal === undefined || fact.journal === journal)
  && (types === undefined || types.includes(fact.type))
  && (from === undefined || fact.at >= from)
  && (to === undefined || fact.at < to)
  && (correlation === undefined || meta.correlation === correlation);

/** One journal is read by itself; anything else means to look at every fact. */
async function* pages(store: EventStore, { journal }: Filter, after: number): AsyncGenerator<Fact[]> {
  if (journal !== undefined) return yield* ofJournal(store, journal);
  for (let at = after; ; ) {
    const page = await store.page(at, PAGE_SIZE);
    if (page.length === 0) return;
    yield page;
    at = page.at(-1)!.position;
  }
}

async function* ofJournal(store: EventStore, journal: string): AsyncGenerator<Fact[]> {
  for (let revision = START; ; ) {
    const page = await store.read(journal, revision, PAGE_SIZE);
    if (page.length > 0) yield page;
    if (page.length < PAGE_SIZE) return;
    revision = page.at(-1)!.revision;
  }
}

async function* following(store: EventStore, after: number, signal?: AbortSignal): AsyncGenerator<Fact[]> {
  let wake = (): void => undefined;
  let rung = false;
  const silence = store.listen(() => {
    rung = true;
    wake();
  });
  signal?.addEventListener('abort', () => wake(), { once: true });
  const rest = () =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, HEARTBEAT_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  try {
    for (let at = after; !signal?.aborted; ) {
      rung = false;
      const page = await store.page(at, PAGE_SIZE);
      if (page.length > 0) yield page;
      else if (!rung && !signal?.aborted) await rest();
      at = page.at(-1)?.position ?? at;
    }
  } finally {
    silence();
  }
}
