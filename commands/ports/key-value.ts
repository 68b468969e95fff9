/**
 * The port to small state that is not history and may be lost with little harm: claims on idempotency keys,
 * leases, pointers. One primitive, compare and set; every adapter passes `test/contract/key-value.ts`. Kept
 * beside the read models, shared by all processes of a platform.
 */
export type KeyValue = {
  /** The live entry of a key; null when there is none or its time has passed. */
  get<T>(key: string): Promise<Entry<T> | null>;
  /**
   * Writes `value` (JSON) when the live entry's version is `version` (0: there is no live entry), and answers
   * the new version; null when somebody else was first. `expiresAt`: the entry is gone from this epoch ms on;
   * null: never. Versions of a key grow for ever, across expiry and removal too, so that one works as a
   * fencing number.
   */
  set(key: string, value: unknown, version: number, expiresAt: number | null): Promise<number | null>;
};

export type Entry<T = unknown> = {
  readonly value: T;
  readonly version: number;
  readonly expiresAt: number | null;
};
