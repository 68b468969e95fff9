import { createHmac } from 'node:crypto';
import type { Answered, Client } from '../api/client.js';
import type { Json } from '../json.js';
import { expected, type World } from './world.js';

// What the stories about data coming in share: webhook sources, and senders who sign what they deliver.

type Headers = Readonly<Record<string, string | undefined>>;
export type Body = object | string | Buffer | null;
export type Kind = 'events' | 'signal';

/** Hex HMAC-SHA256, as a sender makes it of the bytes it sends. */
export const hmac = (secret: string, raw: string | Buffer): string =>
  createHmac('sha256', secret).update(raw).digest('hex');
export const rawOf = (body: Body): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

/** What a source answered at its creation: its id and, where it signs, its secret. */
export type Made = { readonly source_id: string; readonly webhook_secret: string | null };

/** Deliveries by somebody who has no token. */
export type Sender = {
  /** Signed with the source's secret. */
  events(to: Made, body: Body, headers?: Headers): Promise<Answered<Json>>;
  signal(to: Made, body: Body, headers?: Headers): Promise<Answered<Json>>;
  /** To a path as it is, with these headers alone. */
  raw(path: string, body: Body, headers?: Headers): Promise<Answered<Json>>;
  /** The same where the description need not know the path. */
  astray(path: string, body: Body, headers?: Headers): Promise<Answered<Json>>;
};

export const hookPath = ({ source_id }: Made, kind: string | null = 'events'): string =>
  `/v1/ingestion/webhooks/${source_id}${kind === null ? '' : `/${kind}`}`;
export const signed = ({ webhook_secret }: Made, body: Body): Record<string, string> => ({
  'x-signature': `sha256=${hmac(webhook_secret!, rawOf(body))}`,
});

/** A sender to the platform of a world, also after it was started again. */
export function senderTo(world: World): Sender {
  let held: { base: string; client: Client } | null = null;
  const client = (): Client => {
    if (held?.base !== world.running.base) {
      held?.client.close();
      held = { base: world.running.base, client: world.api.as({}) };
    }
    return held.client;
  };
  const send = (path: string, body: Body, headers: Headers, more: { undescribed?: true } = {}) =>
    client().send<Json>({ method: 'POST', path, body: rawOf(body), headers, ...more });
  const to =
    (kind: Kind) =>
    (made: Made, body: Body, headers: Headers = {}) =>
      send(hookPath(made, kind), body, { ...signed(made, body), ...headers });
  return {
    events: to('events'),
    signal: to('signal'),
    raw: (path, body, headers = {}) => send(path, body, headers),
    astray: (path, body, headers = {}) => send(path, body, headers, { undescribed: true }),
  };
}

/** A push source by create-event; answers `data`. */
export const pushSource = async (api: Client, event_config: object = {}, more: object = {}): Promise<Json> =>
  expected(
    await api.post<Json>('/v1/ingestion/connect/create-event', { mode: 'push', event_config, ...more }),
  ).data;
/** A webhook source by the list of sources; answers `data`. */
export const webhook = async (api: Client, config: object, event_config: object = {}): Promise<Json> =>
  expected(
    await api.post<Json>('/v1/ingestion/sources', {
      connector_id: 'webhook',
      name: 'Hook',
      config,
      event_config,
    }),
    201,
  ).data;

export const source = async (api: Client, { source_id }: Pick<Made, 'source_id'>): Promise<Json> =>
  expected(await api.get<Json>(`/v1/ingestion/sources/${source_id}`)).data;
export const changeSource = async (api: Client, { source_id }: Pick<Made, 'source_id'>, body: object) =>
  expected(await api.patch<Json>(`/v1/ingestion/sources/${source_id}`, body)).data;
export const act = (api: Client, { source_id }: Pick<Made, 'source_id'>, action: string, body: object = {}) =>
  api.post<Json>(`/v1/ingestion/sources/${source_id}/${action}`, body);

/** The counts of a delivery that was taken. */
export function counts(answer: Answered<Json>): { accepted: number; duplicates: number; rejected: number } {
  const { accepted, duplicates, rejected } = expected(answer).data;
  return { accepted, duplicates, rejected };
}
export const taken = (accepted: number, duplicates = 0, rejected = 0) => ({ accepted, duplicates, rejected });

/** The events of a stream, the newest occurrence first. */
export const eventsOf = async (api: Client, stream: string): Promise<Json[]> =>
  expected(await api.get<Json>(`/v1/event/streams/${encodeURIComponent(stream)}/events?limit=500`)).data
    .events;
export const names = async (api: Client, stream: string): Promise<string[]> =>
  (await eventsOf(api, stream)).map(({ name }) => name).sort();
export const event = async (api: Client, id: string): Promise<Json> =>
  expected(await api.get<Json>(`/v1/event/${id}`)).data;

/** The points of a signal, the oldest first; null where there is no such signal. */
export async function pointsOf(api: Client, key: string): Promise<[number, number][] | null> {
  const path = `/v1/signal/points?key=${encodeURIComponent(key)}&sort_order=asc&limit=10000`;
  const answer = await api.get<Json>(path);
  return answer.status === 404 ? null : expected(answer).data.points;
}
/** All keys of signals that begin so. */
export const keysOf = async (api: Client, beginning: string): Promise<string[]> => {
  const path = `/v1/signal?type=signal&limit=100&sort_by=key&sort_order=asc&search=${beginning}`;
  const { signals } = expected(await api.get<Json>(path)).data;
  return signals.map(({ key }: Json) => key).filter((key: string) => key.startsWith(beginning));
};
