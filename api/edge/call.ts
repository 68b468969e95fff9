import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Values } from './query.js';
import type { Call, Caller, UploadedFile } from './row.js';

/** What `run` gets. A class, so that the signal costs nothing to those who do not look at it. */
export class OneCall implements Call {
  readonly workspace: string;
  #signal: AbortSignal | undefined;

  constructor(
    readonly caller: Caller,
    readonly params: Record<string, string>,
    readonly query: Values,
    readonly body: unknown,
    readonly raw: Buffer | null,
    readonly file: UploadedFile | null,
    readonly requestId: string,
    readonly headers: IncomingHttpHeaders,
    readonly res: ServerResponse,
  ) {
    this.workspace = caller.workspace ?? '';
  }

  get ifMatch(): string | null {
    const value = this.headers['if-match'];
    if (value === undefined || value === '*') return null;
    return /^"([^"]*)"$/.exec(value)?.[1] ?? value;
  }

  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    const controller = new AbortController();
    this.res.once('close', () => {
      if (!this.res.writableFinished) controller.abort();
    });
    this.#signal = controller.signal;
    return this.#signal;
  }
}
