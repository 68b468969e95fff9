export type Endings = {
  /** Remembers how something that was begun is ended; answers it. */
  readonly keep: <T extends { close(): Promise<void> | void }>(begun: T) => T;
  /**
   * Ends all that was begun, the last first. One that fails keeps no other from its end; the first failure is
   * thrown.
   */
  readonly end: () => Promise<void>;
};

/** What was begun, to be ended in reverse: also when beginning fails half way. */
export function endings(): Endings {
  const begun: { close(): Promise<void> | void }[] = [];
  return {
    keep(one) {
      begun.push(one);
      return one;
    },
    async end() {
      const failures: unknown[] = [];
      for (const one of begun.splice(0).reverse()) {
        try {
          await one.close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
