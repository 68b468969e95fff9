import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { SMTPServer } from 'smtp-server';

export type Received = {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly path: string;
};
type Responding = (response: ServerResponse, received: Received) => void;

/** Answers with a status and nothing else. */
export const answering =
  (status: number): Responding =>
  response => {
    response.writeHead(status).end();
  };
export const echoing: Responding = (response, { text }) => {
  const { challenge } = JSON.parse(text) as { challenge?: string };
  response.writeHead(200).end(JSON.stringify({ challenge }));
};
export const silent: Responding = () => undefined;

/** A server that takes what is posted to it, and answers as it is told to. */
export async function receiver(respond: Responding = echoing) {
  const received: Received[] = [];
  const state = { respond };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const one = { headers: request.headers, path: request.url!, text: Buffer.concat(parts).toString() };
    received.push(one);
    state.respond(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    ...{ received, url: `http://127.0.0.1:${port}/in` },
    /** From now on. */
    answers(next: Responding) {
      state.respond = next;
    },
    /** What came besides challenges. */
    deliveries: () => received.filter(({ text }) => !text.includes('"type":"challenge"')),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a delivery says, once its signature was found right by the library that its receivers use. */
export const verified = (secret: string, { headers, text }: Received): unknown =>
  new Webhook(secret).verify(text, headers as Record<string, string>);

export const idOf = ({ headers }: Received): string => String(headers['webhook-id']);

export type Mailed = { readonly to: string; readonly head: string; readonly text: string };

/** A real mail server that keeps what it takes. */
export async function mailbox() {
  const mails: Mailed[] = [];
  const state = { refused: new Set<string>() };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _, done) {
      done(
        state.refused.has(address) ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null,
      );
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const [head = '', ...rest] = Buffer.concat(parts).toString().split('\r\n\r\n');
        mails.push({
          to: envelope.rcptTo.map(({ address }) => address).join(),
          head,
          text: rest.join('\r\n\r\n'),
        });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as { port: number };
  return {
    ...{ mails, url: `smtp://127.0.0.1:${port}` },
    /** Nobody is known by these addresses. */
    refuses(...addresses: string[]) {
      state.refused = new Set(addresses);
    },
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  };
}
