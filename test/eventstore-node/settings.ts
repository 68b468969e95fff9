/**
 * What a node does instead of answering at once. Each may wait, or never resolve; a test replaces what it
 * wants to play.
 */
export type Faults = {
  /** A client has connected and asks what the server can do; a rejection is the answer. */
  beforeMethods(): Promise<void>;
  /** An append has arrived and nothing of it is stored. */
  beforeStore(stream: string): Promise<void>;
  /** An append is stored and not yet answered. */
  beforeAnswer(stream: string): Promise<void>;
  /** A read of a stream, or of `$all`, has arrived. */
  beforeRead(stream: string): Promise<void>;
  /** A subscription to a stream, or to `$all`, has arrived. */
  beforeSubscribe(stream: string): Promise<void>;
};

export const noFaults = (): Faults => ({
  async beforeMethods() {},
  async beforeStore() {},
  async beforeAnswer() {},
  async beforeRead() {},
  async beforeSubscribe() {},
});

/** A fault: the answer never comes. */
export const never = (): Promise<void> => new Promise(() => {});

export type Settings = {
  /** 23: as 23.10.6 answers; 24: as 24.2.0. */
  generation: 23 | 24;
  /** Generation 23 drops a live subscription that has more than this many events before it. */
  liveBuffer: number;
  /** How many bytes of data one append may hold. */
  maxAppend: number;
  faults: Faults;
};
