import type { Readable } from 'node:stream';

// What the rows of toys share.

export const text = { type: 'string' } as const;
export const reads = { kind: 'workspace', scope: 'data.read' } as const;
export const writes = { kind: 'workspace', scope: 'data.write' } as const;
export const tag = 'Events';
export const anything = { type: 'object' } as const;
export const ok = (schema = anything as { readonly [keyword: string]: unknown }) => ({
  200: { description: 'A toy', schema },
});

/** What the rows saw, for tests to look at. */
export type Toys = {
  made: number;
  seen: unknown[];
  streamed: Readable | null;
  /** Ends what waits for `held`. */
  release: () => void;
  readonly held: Promise<void>;
  /** Says that a call of `waitForToys` has begun: `waiting` resolves. */
  waits: () => void;
  readonly waiting: Promise<void>;
};

export function newToys(): Toys {
  const held = signal();
  const waiting = signal();
  return {
    made: 0,
    seen: [],
    streamed: null,
    release: held.give,
    held: held.given,
    waits: waiting.give,
    waiting: waiting.given,
  };
}

function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = () => {};
  const given = new Promise<void>(resolve => {
    give = resolve;
  });
  return { given, give: () => give() };
}
