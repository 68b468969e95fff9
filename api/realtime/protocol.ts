import { Rejected } from '../../domain/rejected.js';
import { iso } from '../../domain/time.js';
import { object, type FromSchema } from '../../json-schema.js';
import type { Fault } from '../edge/errors.js';
import { parseJson } from '../edge/json.js';
import { checkOf } from '../edge/validation.js';

/** Why a connection ends; below 4000 as in RFC 6455. */
export const closing = {
  restart: 1012,
  tryLater: 1013,
  badFrames: 4400,
  tokenRejected: 4401,
  channelRefused: 4403,
  silent: 4408,
  wrongCell: 4409,
  tooLarge: 4413,
  tooMuch: 4429,
} as const;
export type CloseCode = (typeof closing)[keyof typeof closing];

export const PROTOCOL = 1;
/** How often a client should say something, and how long it may be silent. */
export const HEARTBEAT_S = 30;

const text = { type: 'string' } as const;
const ref = { type: 'string', maxLength: 200 } as const;
const channels = { type: 'array', items: text, minItems: 1 } as const;

/** What a client may send. */
export const clientFrames = {
  auth: object({ type: { const: 'auth' }, token: text }, { ref }),
  subscribe: object({ type: { const: 'subscribe' }, channels }, { ref }),
  unsubscribe: object({ type: { const: 'unsubscribe' }, channels }, { ref }),
  ping: object({ type: { const: 'ping' } }, { ref }),
} as const;
type Frames = typeof clientFrames;
export type ClientFrame = { [T in keyof Frames]: FromSchema<Frames[T]> }[keyof Frames];

const checks = Object.fromEntries(
  Object.entries(clientFrames).map(([type, schema]) => [type, checkOf(schema, 'frame')]),
);

/** A message as one of the frames. @throws BadFrame that says what is wrong with it */
export function readFrame(bytes: Buffer, isBinary: boolean): ClientFrame {
  if (isBinary) throw new BadFrame('A frame is JSON text, not binary', null);
  const frame = jsonIn(bytes);
  if (typeof frame !== 'object' || frame === null) throw new BadFrame('A frame is a JSON object', null);
  const { type, ref: given } = frame as Record<string, unknown>;
  const ref = typeof given === 'string' && given.length <= 200 ? given : null;
  const check = typeof type === 'string' && Object.hasOwn(checks, type) ? checks[type] : undefined;
  if (!check) throw new BadFrame(`'type' is one of ${Object.keys(clientFrames).join(', ')}`, ref);
  refusing(ref, () => check(frame));
  return frame as ClientFrame;
}

function jsonIn(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new BadFrame('A frame is a JSON object', null);
  return refusing(null, () => parseJson(bytes));
}

function refusing<T>(ref: string | null, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Rejected ? new BadFrame(wordsOf(error), ref) : error;
  }
}

function wordsOf({ details }: Rejected): string {
  const [fault] = (details['detail'] ?? []) as readonly Fault[];
  if (!fault) return 'The frame is not valid JSON';
  const place = fault.loc.slice(1).join('.');
  return place === '' ? `The frame ${fault.msg}` : `'${place}' ${fault.msg}`;
}

/** A frame that is none of those a client may send. */
export class BadFrame extends Error {
  constructor(
    message: string,
    readonly ref: string | null,
  ) {
    super(message);
  }
}

export type Denied = { readonly channel: string; readonly code: string };

// What the server sends, each as its text

export const welcome = (cell: string, connectionId: string, now: number): string =>
  JSON.stringify({
    type: 'welcome',
    cell,
    connection_id: connectionId,
    protocol: PROTOCOL,
    heartbeat_s: HEARTBEAT_S,
    server_time: iso(now),
  });
export const ack = (
  ref: string | undefined,
  subscribed: readonly string[],
  denied: readonly Denied[],
): string => JSON.stringify({ type: 'ack', ref: ref ?? null, subscribed, denied });
export const pong = (ref: string | undefined, now: number): string =>
  JSON.stringify({ type: 'pong', ref: ref ?? null, server_time: iso(now) });
export const errorFrame = (
  code: string,
  message: string,
  ref: string | null,
  details: Readonly<Record<string, unknown>> = {},
): string => JSON.stringify({ type: 'error', code, message, details, ref });
/** Everything but `seq` and the end, which differ from reader to reader. */
export const eventHead = (event: string, channel: string, data: unknown, at: number): string => {
  const [name, place, body] = [event, channel, data].map(each => JSON.stringify(each));
  return `{"type":"event","event":${name},"channel":${place},"data":${body},"at":"${iso(at)}","seq":`;
};
