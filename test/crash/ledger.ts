/** What a reader sees of an event (or a point of a signal), as text; null: there is no such event. */
export type State = string | null;
export const stateOf = (name: string, value: number | null): State => JSON.stringify([name, value]);

/** What a request makes of an event, should it be done. */
export type Effect = { readonly id: string; readonly key: string; readonly state: State };

/**
 * What clients know of the events (and points) they wrote: of each the states it may be in. A request that
 * was answered leaves one state; one that was not may have been done or not. No two clients write to the same
 * event, unless they all write the same.
 */
export class Ledger {
  readonly #events = new Map<string, { readonly key: string; states: Set<State> }>();
  readonly #ids = new Map<string, string[]>();

  /** Before a request is sent. */
  sent(effects: readonly Effect[]): void {
    for (const { id, key, state } of effects) {
      const known = this.#events.get(id);
      if (known) known.states.add(state);
      else {
        this.#events.set(id, { key, states: new Set([null, state]) });
        this.#ids.set(key, this.#ids.get(key) ?? []);
        this.#ids.get(key)!.push(id);
      }
    }
  }

  /** After it was answered. */
  acknowledged(effects: readonly Effect[]): void {
    for (const { id, state } of effects) this.#events.get(id)!.states = new Set([state]);
  }

  /** The state of an event that is certain; undefined for one that is not. */
  certain(id: string): State | undefined {
    const { states } = this.#events.get(id) ?? { states: new Set([null]) };
    return states.size === 1 ? [...states][0] : undefined;
  }

  /** Events of a stream that may be there. */
  idsOf(key: string): string[] {
    return (this.#ids.get(key) ?? []).filter(id =>
      [...this.#events.get(id)!.states].some(state => state !== null),
    );
  }

  /**
   * Holds what a reader found in a stream to what is known, and takes it for certain; answers what is wrong.
   */
  settle(key: string, found: ReadonlyMap<string, State>): string[] {
    const wrong: string[] = [];
    for (const id of found.keys()) {
      if (this.#events.get(id)?.key !== key) wrong.push(`${id} is in ${key}, and nobody put it there`);
    }
    for (const id of this.#ids.get(key) ?? []) {
      const event = this.#events.get(id)!;
      const state = found.get(id) ?? null;
      if (!event.states.has(state))
        wrong.push(`${id} in ${key} is ${state}, and may be ${[...event.states].map(String).join(' or ')}`);
      event.states = new Set([state]);
    }
    return wrong;
  }
}

type Span = { readonly start: number; end: number; acknowledged: boolean };

/**
 * A stream that many record to while others delete it: whether an event is there depends on an order that
 * nobody sees where requests overlap, and is certain where they do not. Each event is recorded once.
 */
export class Contested {
  readonly #records = new Map<string, Span>();
  readonly #deletions: Span[] = [];

  sent(id: string | null): Span {
    const span: Span = { start: performance.now(), end: Infinity, acknowledged: false };
    if (id === null) this.#deletions.push(span);
    else this.#records.set(id, span);
    return span;
  }

  acknowledged(span: Span): void {
    span.acknowledged = true;
    span.end = performance.now();
  }

  /** The server is dead: what was under way is over. */
  died(): void {
    for (const span of [...this.#records.values(), ...this.#deletions])
      span.end = Math.min(span.end, performance.now());
  }

  wrong(found: ReadonlySet<string>): string[] {
    const strangers = [...found]
      .filter(id => !this.#records.has(id))
      .map(id => `${id} is there, and nobody put it there`);
    const lost = [...this.#records]
      .filter(
        ([id, { start, acknowledged }]) =>
          acknowledged && !found.has(id) && this.#deletions.every(({ end }) => end < start),
      )
      .map(([id]) => `${id} is missing`);
    const deletedAfter = (end: number) =>
      this.#deletions.some(deletion => deletion.acknowledged && deletion.start > end);
    const left = [...this.#records]
      .filter(([id, { end }]) => found.has(id) && deletedAfter(end))
      .map(([id]) => `${id} should be gone`);
    return [...strangers, ...lost, ...left];
  }
}
