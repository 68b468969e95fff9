import { createHmac } from 'node:crypto';
import type { Json } from '../json.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, type Running, type Starting } from '../platform.js';
import { clientOf, type Answered, type Client } from './client.js';

/** What a source says of itself when it is made. */
export type Made = {
  readonly source_id: string;
  readonly webhook_secret: string;
  readonly webhook_url_events: string;
  readonly webhook_url_signal: string;
  readonly webhook_url: string;
};

/** The signature of a body under a secret: what a sender puts into `X-Signature`. */
export const signatureOf = (secret: string, body: string | Buffer): string =>
  createHmac('sha256', secret).update(body).digest('hex');

export type IngestionApi = Awaited<ReturnType<typeof ingestionApi>>;

/** A platform whose clock stands until it is moved, for sources and what is delivered to them. */
export async function ingestionApi({ env = {}, ...starting }: Starting = {}) {
  const folder = temporaryFolder();
  const clock = { now: Date.UTC(2026, 4, 4, 12) };
  const begin = (installed?: Running['installed']): Promise<Running> =>
    startPlatform(folder.path, {
      running: ['api', 'projections', 'workers'],
      clock: () => clock.now,
      env: { RATE_HEAVY: '1000000', RATE_WEBHOOK: '1000000', ...env },
      ...(installed && { installed }),
      ...starting,
    });
  let api = await begin();
  const description = (await api.call('GET', '/openapi/v1.json')).json;
  const clientFor = (login: { token?: string; workspaceId?: string }): Client =>
    clientOf(api.base, description, {
      ...(login.token !== undefined && { token: login.token }),
      ...(login.workspaceId !== undefined && { workspace: login.workspaceId }),
    });
  let client = clientFor(api.installed);
  let outside = clientFor({});

  /** Sends a body as it is, signed unless headers are given. */
  const deliver = (
    made: Pick<Made, 'source_id' | 'webhook_secret'>,
    body: unknown,
    { kind = 'events', headers }: { kind?: string; headers?: Record<string, string> } = {},
  ): Promise<Answered<Json>> => {
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return outside.send<Json>({
      method: 'POST',
      path: `/v1/ingestion/webhooks/${made.source_id}${kind === '' ? '' : `/${kind}`}`,
      headers: headers ?? { 'x-signature': signatureOf(made.webhook_secret, text) },
      body: Buffer.from(text),
    });
  };
  return {
    folder,
    clock,
    clientFor,
    deliver,
    get api() {
      return api;
    },
    get client() {
      return client;
    },
    get people() {
      return peopleOf(api.platform);
    },
    /** A push source by the short way. */
    async source(event_config: object = {}, headers = {}): Promise<Made> {
      // The list is in order of their making
      clock.now += 1;
      const body = { mode: 'push', event_config };
      const answer = await client.post<Json>('/v1/ingestion/connect/create-event', body, headers);
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.body.data;
    },
    /** `data` of an answer that went well. */
    async read(path: string): Promise<Json> {
      const answer = await client.get<Json>(path);
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.body.data;
    },
    /** Events of a stream as each is read, oldest first. */
    async events(key: string): Promise<readonly Json[]> {
      const answer = await client.get<Json>(`/v1/event/streams/${encodeURIComponent(key)}/events?limit=500`);
      const listed: readonly Json[] = answer.status === 404 ? [] : answer.body.data.events;
      const read = listed.map(({ event_id: id }) => client.get<Json>(`/v1/event/${id}`));
      return (await Promise.all(read)).map(({ body }) => body.data).reverse();
    },
    async restart(): Promise<void> {
      await api.stop();
      api = await begin(api.installed);
      client = clientFor(api.installed);
      outside = clientFor({});
    },
    async close(): Promise<void> {
      await api.stop();
      folder.remove();
    },
  };
}
