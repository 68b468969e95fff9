import type { IncomingHttpHeaders } from 'node:http';
import type { Scorer } from '../domain/events/scoring.js';
import type { Fact } from '../domain/fact.js';
import type { Projection } from '../projections/engine/projection.js';
import type { Stores } from './open.js';

/** What is told of a request; the route, the status and the limit are known once it was answered. */
export type Watched = {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** The path of its row, with parameters by name; '' where there is none. */
  readonly route: string;
  readonly status: number;
  /** The limit that it was refused by; null: by none. */
  readonly limitedBy: string | null;
};

/** Watches a platform from outside, by wrapping its ports. It changes nothing, never fails, and is quick. */
export type Watcher = {
  readonly stores: (stores: Stores) => Stores;
  readonly scorer: (scorer: Scorer) => Scorer;
  /** After a page of facts was projected in this process. */
  readonly projected: (p: Projection, page: readonly Fact[]) => void;
  /** Lets a reactor answer a fact. */
  readonly reaction: (reactor: string, fact: Fact, answer: () => Promise<void>) => Promise<void>;
  /** Lets a request be answered. */
  readonly request: (request: Watched, answer: () => Promise<void>) => Promise<void>;
  /** An id for a request that brought none of its own; null: any will do. */
  readonly requestId: (headers: IncomingHttpHeaders) => string | null;
};

/** Several as one, the last outermost; without any it does nothing. */
export const watchedBy = (watchers: readonly Watcher[]): Watcher => ({
  stores: stores => watchers.reduce((wrapped, each) => each.stores(wrapped), stores),
  scorer: scorer => watchers.reduce((wrapped, each) => each.scorer(wrapped), scorer),
  projected(p, page) {
    for (const each of watchers) each.projected(p, page);
  },
  reaction: (reactor, fact, answer) =>
    watchers.reduce((inner, each) => () => each.reaction(reactor, fact, inner), answer)(),
  request: (request, answer) =>
    watchers.reduce((inner, each) => () => each.request(request, inner), answer)(),
  requestId(headers) {
    for (const each of watchers) {
      const id = each.requestId(headers);
      if (id !== null) return id;
    }
    return null;
  },
});
