/** What is told of a request; the route, the status and the limit are known once it was answered. */
export type Observed = {
  readonly method: string;
  /** The path of its row, with parameters by name; '' where there is none. */
  readonly route: string;
  /** 499 when the client left before there was an answer. */
  readonly status: number;
  /** The limit that it was refused by; null: by none. */
  readonly limitedBy: string | null;
};

/**
 * Watches requests from outside: lets one be answered, and looks at what came of it. It must be quick and may
 * not throw; `answer` never does.
 */
export type Observer = (request: Observed, answer: () => Promise<void>) => Promise<void>;
