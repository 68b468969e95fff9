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
};
export function newToys(): Toys {
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  return { made: 0, seen: [], release: () => release(), held, streamed: null };
}
