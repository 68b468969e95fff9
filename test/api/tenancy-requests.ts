import { eventIdOf } from '../../commands/events/ids.js';
import type { Installed } from '../../commands/installation.js';
import type { Running } from '../platform.js';
import { START, type Operation, type Which } from './tenancy-operations.js';
import { noteDrawn, servedCall, steadied, type Drawn, type Served } from './tenancy-served.js';
import { segmentedCall, type Segmented } from './tenancy-segments.js';
import { toldCall, type Told } from './tenancy-told.js';

export type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
};
export type Seen = { readonly status: number; readonly headers: [string, string][]; readonly text: string };
/** What a tenant has been told so far, to be used by it and by the other. */
export type Memory = {
  etag: string;
  cursor: string;
  readonly etags: Map<string, string>;
  readonly drawn: Drawn;
};
export type Tenant = {
  readonly is: Installed;
  readonly email: string;
  /** Where a webhook of it is verified. */
  readonly hook: string;
  readonly memory: Memory;
  readonly alone: Running;
  readonly random: Record<'alone' | 'together', Map<string, string>>;
};

/** An operation of one tenant as a request. `astray`: the header names the other's workspace. */
export function requestOf(
  each: Operation | Served | Told | Segmented,
  { is, email, hook, memory }: Tenant,
  other: Tenant,
  astray: boolean,
  id: string,
): Request {
  const of = (whose: string) => (whose === 'own' ? is : other.is);
  const eventPath = ({ key, text, at }: Which, whose: string) =>
    `/v1/event/${eventIdOf(of(whose).workspaceId, key, at, text)}`;
  const groupPath = (kind: string, whose: string) =>
    kind === 'workspace'
      ? `/v1/workspace/${of(whose).workspaceId}`
      : `/v1/organization/${of(whose).organizationId}`;
  const versionOf = (version: string | null, path: string) => {
    if (version === 'own') return memory.etags.get(path) ?? memory.etag;
    return version === 'other' ? actual(other.memory.etag, other.random.together) : version;
  };
  const cursorOf = (cursor: string | null) => {
    if (cursor === 'own') return memory.cursor;
    return cursor === 'other' ? other.memory.cursor : '';
  };
  const emailOf = (whose: string) => {
    if (whose === 'own') return email;
    return whose === 'other' ? other.email : 'x@example.org';
  };
  const drawn = (whose: string) => (whose === 'own' ? memory.drawn : drawnOf(other));
  const to = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | null> = {},
  ): Request => ({
    method,
    path,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${is.token}`,
      'x-workspace-id': astray ? other.is.workspaceId : is.workspaceId,
      'x-request-id': id,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...Object.fromEntries(
        Object.entries(headers).filter((header): header is [string, string] => header[1] !== null),
      ),
    },
  });
  const given = ({ event: { key, text, at }, extra }: { event: Which; extra: object }) => ({
    key,
    text,
    occurred_at: at,
    ...extra,
  });
  switch (each.do) {
    case 'record':
      return to('POST', '/v1/event/record', given(each.body), { 'idempotency-key': each.idempotency });
    case 'batch':
      return to(
        'POST',
        '/v1/event/record-batch',
        { events: each.bodies.map(given) },
        { 'idempotency-key': each.idempotency },
      );
    case 'patch': {
      const path = eventPath(each.event, each.whose);
      return to('PATCH', path, each.change, { 'if-match': versionOf(each.version, path) });
    }
    case 'withdraw': {
      const path = eventPath(each.event, each.whose);
      return to('DELETE', path, undefined, { 'if-match': versionOf(each.version, path) });
    }
    case 'deleteStream':
      return to('DELETE', `/v1/event/streams/${encodeURIComponent(each.key)}`);
    case 'push':
      return to(
        'POST',
        '/v1/signal/push',
        { key: each.key, values: [[START - each.hour * 3_600_000, each.value]] },
        { 'idempotency-key': each.idempotency },
      );
    case 'label':
      return to(
        'POST',
        `/v1/signal/${each.with[0]}`,
        each.with[0] === 'display-name'
          ? { key: each.key, ...each.with[1] }
          : { keys: [each.key], ...each.with[1] },
      );
    case 'deleteSignals':
      return to('POST', '/v1/signal/delete', { keys: [each.key], event_streams: [] });
    case 'signals': {
      const cursor = cursorOf(each.cursor);
      const further = cursor && each.path.includes('limit') ? `&cursor=${encodeURIComponent(cursor)}` : '';
      return to('GET', `/v1/signal${each.path}${further}`);
    }
    case 'get': {
      const path = eventPath(each.event, each.whose);
      return to('GET', path + each.below, undefined, { 'if-none-match': versionOf(each.version, path) });
    }
    case 'again': {
      // What was read last, by the version that either of them has seen of it
      const path = [...memory.etags.keys()].at(-1) ?? '/v1/event/evt_none';
      return to('GET', path, undefined, { 'if-none-match': versionOf(each.by, path) });
    }
    case 'list': {
      const cursor = cursorOf(each.cursor);
      const more =
        cursor && each.path.includes('/events')
          ? `${each.path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
          : '';
      return to('GET', `/v1/event/${each.path}${more}`);
    }
    case 'group':
      return to('GET', groupPath(each.kind, each.whose) + each.path);
    case 'billing':
      return each.path === 'estimates'
        ? to('POST', '/v1/billing/estimates', { operation: 'inference', params: { steps: 100 } })
        : to('GET', `/v1/billing/${each.path}`);
    case 'lists':
      return to('GET', each.path);
    case 'rename':
      return to('PATCH', groupPath(each.kind, each.whose), { name: each.name });
    case 'invite':
      return to(
        'POST',
        `${groupPath('workspace', each.whose)}/invitations`,
        {
          email: emailOf(each.email),
          role: 'viewer',
        },
        { 'idempotency-key': each.idempotency },
      );
    case 'remove':
      return to('DELETE', `${groupPath('workspace', each.whose)}/members/${of(each.whom).uid}`);
    case 'feed':
    case 'mark':
    case 'readAll':
    case 'prefer':
    case 'addChannel':
    case 'channel': {
      const [method, path, sent] = toldCall(each, drawn, hook);
      return to(method, path, sent);
    }
    case 'makeSegment': {
      const [method, path, sent] = segmentedCall(each, drawn);
      return to(method, path, sent, { 'idempotency-key': each.idempotency });
    }
    case 'segment': {
      const [method, path, sent] = segmentedCall(each, drawn);
      const held = method === 'GET' ? 'if-none-match' : 'if-match';
      return to(method, path, sent, { [held]: versionOf(each.version, path) });
    }
    case 'preview':
    case 'segments':
    case 'feature': {
      const [method, path, sent] = segmentedCall(each, drawn);
      return to(method, path, sent);
    }
    default: {
      const [method, path, sent] = servedCall(each, drawn);
      return to(method, path, sent);
    }
  }
}

/** The ids of a tenant as they are on the platform that both share. */
const drawnOf = ({ memory, random }: Tenant): Drawn =>
  Object.fromEntries(
    Object.entries(memory.drawn).map(([kind, id]) => [kind, actual(id, random.together)]),
  ) as Drawn;

/** A text with what the platform drew in place of what it is called here. */
const actual = (text: string, random: Map<string, string>): string => {
  const drawn = new Map([...random].map(([id, name]) => [name, id]));
  return text.replace(/drawn#\d+/g, name => drawn.get(name) ?? name);
};

/** Ids and secrets that the platform draws. */
const DRAWN = [
  /\b(?:inv|inf|mdl|ntf|chn|seg|ftr)_[0-9a-z]+|\bprm_[0-9a-f]{16}_[0-9a-z]+/g,
  /\bwhsec_[\w+/=]+|(?<="token":")[\w-]{43}(?=")/g,
];

/** Of an answer that tells of such ids, in its ETag. */
const DIGEST = /(?<=^"(?:\d+-)?)[0-9a-f]{16}(?="$)/;
/** What changes by itself, at times that nothing fixes: so does the ETag. */
const UNSTEADY = /^\/v1\/(user\/me|deployments|inference|models)/;

/**
 * Asks on one platform. `random`: ids and values that the platform drew, by what they are called here: the
 * first, the second, ... of this tenant.
 */
export async function ask(
  { base }: Running,
  { method, path, headers, body }: Request,
  random: Map<string, string>,
): Promise<Seen> {
  const sent = body === undefined ? {} : { body: actual(body, random) };
  const meant = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, actual(value, random)]),
  );
  const response = await fetch(base + actual(path, random), { method, headers: meant, ...sent });
  const isServed = /^\/v1\/(deployments|inference|models)/.test(path);
  const text = isServed ? steadied(await response.text()) : await response.text();
  const named = (drawn: string) => {
    if (!random.has(drawn)) random.set(drawn, `drawn#${random.size}`);
    return random.get(drawn)!;
  };
  const kept = [...response.headers].filter(([name]) => !['date', 'content-length'].includes(name));
  // When a token was last used is noted in the background, some time later
  const steady = text.replace(/"(last_used_at|last_used_ip)":("[^"]*"|null)/g, '"$1":null');
  const digest = UNSTEADY.test(path) ? () => 'unsteady' : named;
  const headersOf = kept.map(([name, value]): [string, string] => [name, value.replace(DIGEST, digest)]);
  return {
    status: response.status,
    headers: headersOf,
    text: DRAWN.reduce((before, pattern) => before.replace(pattern, named), steady),
  };
}

export function remember(memory: Memory, { method, path }: Request, { status, headers, text }: Seen): void {
  // A refusal names what was asked for, which may be the other's
  if (status < 300) noteDrawn(memory.drawn, path, text);
  const etag = headers.find(([name]) => name === 'etag')?.[1];
  const cursor = /"next_cursor":"([^"]+)"/.exec(text)?.[1];
  if (etag) {
    memory.etag = etag;
    if (method === 'GET') memory.etags.set(path, etag);
  }
  if (cursor) memory.cursor = cursor;
}
