import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { clientOf, type Answered, type Client } from './client.js';
import type { Json } from '../json.js';

export const HOUR = 3_600_000,
  DAY = 24 * HOUR;
/** A Monday at midnight. */
export const T0 = Date.UTC(2026, 0, 5);
export const at = (ms: number): string => new Date(ms).toISOString();

/**
 * A platform whose clock stands until it is moved, with a client that holds every answer to the description.
 */
export type SignalsApi = {
  readonly api: Running;
  readonly client: Client;
  now: number;
  /** Points an hour apart from `T0` on. */
  readonly push: (
    key: string,
    values: readonly number[],
    more?: { readonly from?: number; readonly step?: number; readonly unit?: string },
  ) => Promise<void>;
  readonly record: (key: string, text: string, occurredAt: number, more?: object) => Promise<void>;
  /**
   * `data` of an answer that is 200, or the answer where it is bare; what may not stand in a path as it is
   * gets encoded, but no `%`.
   */
  readonly get: <T = Json>(path: string) => Promise<T>;
  readonly post: <T = Json>(path: string, body: object) => Promise<T>;
  /** A client of another tenant. */
  readonly stranger: () => Promise<Client>;
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function signalsApi(): Promise<SignalsApi> {
  const folder = temporaryFolder();
  const clock = { now: T0 + 30 * DAY };
  const start = async (from?: Running) => {
    const api = await startPlatform(folder.path, {
      running: ['api', 'projections'],
      clock: () => clock.now,
      ...(from && { installed: from.installed }),
    });
    const description = (await api.call('GET', '/openapi/v1.json')).json;
    return {
      api,
      client: clientOf(api.base, description, {
        token: api.installed.token,
        workspace: api.installed.workspaceId,
      }),
    };
  };
  let running = await start();
  let strangers = 0;
  const ok = <T>({ status, body, text }: Answered<Json>): T => {
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return body.data ?? body;
  };
  const world: SignalsApi = {
    get api() {
      return running.api;
    },
    get client() {
      return running.client;
    },
    get now() {
      return clock.now;
    },
    set now(ms) {
      clock.now = ms;
    },
    async push(key, values, { from = T0, step = HOUR, unit } = {}) {
      const pairs = values.map((value, i) => [from + i * step, value]);
      for (let i = 0; i < pairs.length; i += 5_000)
        ok(
          await running.client.post('/v1/signal/push', {
            key,
            values: pairs.slice(i, i + 5_000),
            ...(unit !== undefined && { unit }),
          }),
        );
    },
    async record(key, text, occurred_at, more = {}) {
      ok(await running.client.post('/v1/event/record', { key, text, occurred_at, ...more }));
    },
    get: async path => ok(await running.client.get<Json>(encodeURI(path))),
    post: async (path, body) => ok(await running.client.post<Json>(path, body)),
    async stranger() {
      const { token, workspaceId } = await peopleOf(running.api.platform).tenant(
        `b${++strangers}@example.org`,
      );
      return running.client.as({ token, workspace: workspaceId });
    },
    async restart() {
      running.client.close();
      await running.api.stop();
      running = await start(running.api);
    },
    async close() {
      running.client.close();
      await running.api.stop();
      folder.remove();
    },
  };
  return world;
}
