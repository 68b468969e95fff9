import {
  PollFailed,
  type Connector,
  type PolledPage,
  type Polling,
} from '../../commands/ingestion/connectors.js';
import { RedirectRefused, type Outgoing, type OutgoingRequest } from '../../commands/ports/outgoing.js';
import type { Cursor } from '../../domain/ingestion/polls/execution-facts.js';
import { SECOND } from '../../domain/time.js';
import { answerIn } from './answers.js';
import type { HeldBytes } from './held-bytes.js';

type Auth =
  | { readonly type: 'none' }
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'header'; readonly name: string; readonly value: string };

type Config = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly auth?: Auth;
  readonly cursor_path?: string;
  readonly cursor_param?: string;
  readonly timeout_seconds?: number;
  readonly max_pages?: number;
};

const TIMEOUT_SECONDS = 20;
const MAX_PAGES = 10;
const MAX_BYTES = 20 * 1_024 * 1_024;
const REDIRECTS = 5;

/** Asks an address for JSON, page after page by a cursor that each answer names. */
export function restPoll(outgoing: Pick<Outgoing, 'send' | 'refusal'>, held: HeldBytes): Connector {
  return {
    pages: polling => pages(outgoing, held, polling),
    async refusal(config) {
      const message = await outgoing.refusal((config as Config).url);
      return message === null ? null : { field: 'url', message };
    },
  };
}

/**
 * Goes on while an answer names a place to go on from that is not the one it was asked from, for so many
 * pages as are allowed: a page without items may lie before one that has some.
 */
async function* pages(
  outgoing: Pick<Outgoing, 'send'>,
  held: HeldBytes,
  polling: Polling,
): AsyncIterable<PolledPage> {
  const { signal } = polling;
  const config = polling.config as Config;
  const paths = { items: polling.itemsPath, cursor: config.cursor_path ?? null };
  const most = config.max_pages ?? MAX_PAGES;
  let cursor = polling.cursor;
  for (let page = polling.pagesRead; page < most; page++) {
    const body = await asked(outgoing, requestOf(config, cursor, signal));
    const letGo = await held(body.length, signal);
    try {
      const { next, parts, close } = await answerIn(body, paths, signal);
      try {
        const isLast = next === null || next === cursor || page === most - 1;
        yield { parts, cursor: next, bytes: body.length, isLast };
        if (isLast) return;
      } finally {
        await close();
      }
      cursor = next;
    } finally {
      letGo();
    }
  }
}

async function asked({ send }: Pick<Outgoing, 'send'>, request: OutgoingRequest) {
  const { status, body } = await answered(send, request);
  if (status < 200 || status >= 300) throw new PollFailed('http_status', `The address answered ${status}`);
  return body;
}

async function answered(send: Outgoing['send'], request: OutgoingRequest) {
  try {
    return await send(request);
  } catch (error) {
    if (error instanceof RedirectRefused) throw new PollFailed('redirect_refused', error.message);
    throw error;
  }
}

/**
 * The cursor goes into the query of a GET, and into the body of a POST where that is an object (else into its
 * query, too).
 */
function requestOf(config: Config, cursor: Cursor, signal: AbortSignal): OutgoingRequest {
  const { method = 'GET', headers = {}, body, auth, cursor_param: param } = config;
  const url = new URL(config.url);
  const isGoingOn = param !== undefined && cursor !== null;
  const isInBody = method === 'POST' && isObject(body);
  if (isGoingOn && !isInBody) url.searchParams.set(param, String(cursor));
  const sent = isGoingOn && isInBody ? { ...body, [param]: cursor } : body;
  return {
    ...{ method, url: url.href, signal, redirects: REDIRECTS, maxBytes: MAX_BYTES },
    withinMs: (config.timeout_seconds ?? TIMEOUT_SECONDS) * SECOND,
    headers: {
      ...{ accept: 'application/json', 'user-agent': 'Presage' },
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      ...authorization(auth),
    },
    ...(method === 'POST' && sent !== undefined && { body: JSON.stringify(sent) }),
  };
}

function authorization(auth: Auth = { type: 'none' }): Record<string, string> {
  switch (auth.type) {
    case 'none':
      return {};
    case 'bearer':
      return { authorization: `Bearer ${auth.token}` };
    case 'basic': {
      const both = Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
      return { authorization: `Basic ${both}` };
    }
    case 'header':
      return { [auth.name.toLowerCase()]: auth.value };
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
