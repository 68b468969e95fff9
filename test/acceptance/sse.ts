import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { Json } from '../json.js';
import { until } from '../platform.js';

// The stream of notifications, read byte by byte: what it says on the wire is part of what was promised.

export type Message = { readonly id: string; readonly event: string; readonly data: Json };
export type Stream = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** All text so far. */
  text(): string;
  /** Messages so far, in the order they came. */
  messages(): Message[];
  /** Waits for a message that fits. */
  message(fits: (message: Message) => boolean, what?: string): Promise<Message>;
  /** Waits for a text on the wire. */
  says(text: RegExp): Promise<void>;
  /** Waits until the server ends it. */
  ended(): Promise<void>;
  close(): void;
};

type Asked = { readonly query?: string; readonly headers?: Readonly<Record<string, string>> };

export async function listen(
  base: string,
  token: string,
  { query = '', headers = {} }: Asked = {},
): Promise<Stream> {
  const request = get(`${base}/v1/notifications/stream${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  let text = '';
  let over = false;
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  response
    .on('error', () => undefined)
    .on('close', () => {
      over = true;
    });
  const messages = () =>
    text
      .split('\n\n')
      .slice(0, -1)
      .map(block => {
        const field = (name: string) =>
          new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]?.replace(/\r$/, '') ?? '';
        return { id: field('id'), event: field('event'), raw: field('data') };
      })
      .filter(({ event }) => event !== '' && event !== 'listening')
      .map(
        ({ id, event, raw }): Message => ({ id, event, data: raw.startsWith('{') ? JSON.parse(raw) : raw }),
      );
  return {
    status: response.statusCode!,
    headers: response.headers,
    text: () => text,
    messages,
    message: (fits, what = 'a message') => until(async () => messages().find(fits), what),
    async says(pattern) {
      await until(async () => pattern.test(text), `${pattern} on the wire`);
    },
    async ended() {
      await until(async () => over, 'the end of the stream');
    },
    close: () => request.destroy(),
  };
}
