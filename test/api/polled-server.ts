import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';

export type Asked = { readonly url: string; readonly headers: IncomingMessage['headers'] };
export type Respond = (response: ServerResponse, url: URL) => void;

/** Answers with JSON. */
export const json =
  (body: unknown): Respond =>
  response =>
    response.end(JSON.stringify(body));
export const status =
  (code: number): Respond =>
  response =>
    response.writeHead(code).end();

/** A server that is polled; it answers as it is told to, and can go away and come back on its port. */
export async function polledServer(respond: Respond) {
  const asked: Asked[] = [];
  const state = { respond };
  const begin = async (port: number) => {
    const server = createServer((request, response) => {
      const { url = '/', headers } = request;
      asked.push({ url, headers });
      response.on('error', () => undefined);
      state.respond(response, new URL(url, 'http://here'));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await begin(0);
  const { port } = server.address() as { port: number };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return {
    ...{ asked, close, url: `http://127.0.0.1:${port}/items` },
    answers(next: Respond) {
      state.respond = next;
    },
    goesAway: close,
    async comesBack() {
      server = await begin(port);
    },
  };
}
export type PolledServer = Awaited<ReturnType<typeof polledServer>>;

/** Events of numbers, two on a page, by `after`. */
export const paging =
  (most: number): Respond =>
  (response, url) => {
    const from = Number(url.searchParams.get('after') ?? 0);
    const numbers = [from, from + 1].filter(each => each < most);
    const items = numbers.map(n => ({ id: n, text: `text ${n}`, occurred_at: 1_760_000_000 + n }));
    response.end(JSON.stringify({ items, next: from + 2 < most ? from + 2 : null }));
  };
export const pagingConfig = {
  ...{ array_path: 'items', id_path: 'id', cursor_path: 'next', cursor_param: 'after' },
  max_pages: 50,
};
