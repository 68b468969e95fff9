import type { IncomingHttpHeaders } from 'node:http';

/** What is told of a request; the route, the status and the limit are known once it was answered. */
export type Observed = {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** The path of its row, with parameters by name; '' where there is none. */
  readonly route: string;
  /** 499 when the client left before there was an answer. */
  readonly status: number;
  /** The limit that it was refused by; null: by none. */
  readonly limitedBy: string | null;
};

/** Watches requests from outside. It must be quick and may not throw. */
export type Observer = {
  /** Lets a request be answered, and looks at what came of it; `answer` is never rejected. */
  readonly request: (request: Observed, answer: () => Promise<void>) => Promise<void>;
  /** An id for a request that brought none fit to be one; null: any will do. */
  readonly requestId: (headers: IncomingHttpHeaders) => string | null;
};
