import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { expected } from './world.js';

// What the stories about polls share: a server on this machine that is polled, and jobs and executions.

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
};
export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text and bytes as they are. */
  readonly body?: unknown;
  /** Nothing is answered at all. */
  readonly hang?: boolean;
};
export type Feed = {
  readonly url: string;
  readonly got: readonly Asked[];
  /** What is answered from now on. */
  reply(answer: Answering): void;
  /** A path of its own that answers something else. */
  at(answer: Answering): Place;
  close(): void;
};
type Answering = (asked: Asked) => Reply;
export type Place = {
  readonly url: string;
  /** What was asked of it. */
  asked(): readonly Asked[];
  reply(answer: Answering): void;
};

/** A server that answers an empty list until it is told otherwise. */
export async function feedServer(): Promise<Feed> {
  const got: Asked[] = [];
  const places = new Map<string, Answering>();
  let answer: Answering = () => ({ body: [] });
  const server = createServer(async (request, response) => {
    const raw = ((await request.toArray()) as Buffer[]).map(String).join('');
    const { pathname: path, searchParams: query } = new URL(request.url!, 'http://feed');
    const asked = { method: request.method!, path, query, headers: request.headers, raw };
    got.push(asked);
    const { status = 200, headers = {}, body = '', hang } = (places.get(path) ?? answer)(asked);
    if (hang) return;
    const plain = typeof body === 'string' || Buffer.isBuffer(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(plain ? body : JSON.stringify(body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    got,
    reply(given) {
      answer = given;
    },
    at(given) {
      const path = `/at/${places.size}`;
      places.set(path, given);
      return {
        url: url + path,
        asked: () => got.filter(each => each.path === path),
        reply: next => places.set(path, next),
      };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A list in pages by a cursor, as services have it: the last page names no next one. */
export const paged =
  (pages: readonly (readonly object[])[]): Answering =>
  ({ query }) => {
    const page = Number(query.get('after') ?? 0);
    const next = page + 1 < pages.length ? String(page + 1) : null;
    return { body: { items: pages[page] ?? [], meta: { next } } };
  };
/** How such a list is polled. */
export const pagedConfig = (stream: string, url: string) => ({
  ...{ stream, url, array_path: 'items', id_path: 'id' },
  ...{ cursor_path: 'meta.next', cursor_param: 'after' },
});

/** A source that polls, by create-event; answers `data` and the id of its only job. */
export async function poll(api: Client, event_config: object): Promise<Json & { job: string }> {
  const body = { mode: 'poll', event_config };
  const { data } = expected(await api.post<Json>('/v1/ingestion/connect/create-event', body));
  return { ...data, job: data.job_ids[0] };
}

export const job = async (api: Client, id: string): Promise<Json> =>
  expected(await api.get<Json>(`/v1/ingestion/jobs/${id}`)).data;
/** The executions of a job, the newest first. */
export const executions = async (api: Client, jobId: string): Promise<Json[]> => {
  const path = `/v1/ingestion/executions?job_id=${jobId}&per_page=100`;
  return expected(await api.get<Json>(path)).data.executions;
};
export const execution = async (api: Client, id: string): Promise<Json> =>
  expected(await api.get<Json>(`/v1/ingestion/executions/${id}`)).data;

const OVER = ['succeeded', 'partial', 'failed', 'cancelled'];
/** Waits until so many executions of a job are there and the newest has a status: any in which it is over. */
export const ran = (
  api: Client,
  jobId: string,
  count = 1,
  statuses: readonly string[] = OVER,
): Promise<Json> =>
  until(
    async () => {
      const all = await executions(api, jobId);
      const newest = all.length >= count && statuses.includes(all[0].status);
      return newest && execution(api, all[0].execution_id);
    },
    `execution ${count} of ${jobId} being ${statuses.join(' or ')}`,
  );

/** Runs a job now and waits for the end of it. */
export async function runNow(api: Client, jobId: string): Promise<Json> {
  const { data } = expected(await api.post<Json>(`/v1/ingestion/jobs/${jobId}/run`), 202);
  return until(async () => {
    const found = await execution(api, data.execution_id);
    return OVER.includes(found.status) && found;
  }, `the end of ${data.execution_id}`);
}
