import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';

// Where notifications go outside: a receiver of webhooks and a mail server, on this machine.

/** Settings under which the platform may send to this machine. */
export const LOCAL = { OUTGOING_ALLOW: '127.0.0.0/8' };

export type Delivery = {
  readonly path: string;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly body: Json;
};
type Answer = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };
export type Receiver = {
  readonly url: string;
  /** Everything that came but challenges, whatever was answered. */
  readonly got: readonly Delivery[];
  readonly challenges: readonly Delivery[];
  /** What is answered from now on: to deliveries, and whether challenges are echoed. */
  reply(answer: Answer, echo?: boolean): void;
  /** Waits for a delivery that fits. */
  received(fits: (delivery: Delivery) => boolean, what?: string): Promise<Delivery>;
  close(): void;
};

/** A receiver that echoes challenges and answers 200 until it is told otherwise. */
export async function receive(): Promise<Receiver> {
  const [got, challenges]: [Delivery[], Delivery[]] = [[], []];
  let [answer, echo]: [Answer, boolean] = [{ status: 200 }, true];
  const server = createServer(async (request, response) => {
    const raw = ((await request.toArray()) as Buffer[]).map(String).join('');
    const body = raw.startsWith('{') ? JSON.parse(raw) : raw;
    const { url: path = '', headers } = request;
    const delivery = { path, id: String(headers['webhook-id']), headers, raw, body };
    const challenge = body?.type === 'challenge';
    (challenge ? challenges : got).push(delivery);
    if (challenge && echo) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ challenge: body.challenge }));
    } else {
      response.writeHead(challenge ? 500 : answer.status, answer.headers);
      response.end(answer.body ?? '');
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    challenges,
    reply(given, echoes = echo) {
      [answer, echo] = [given, echoes];
    },
    received: (fits, what = 'a delivery') => until(async () => got.find(fits), what),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Throws where a delivery is not signed under a secret, as the library of Standard Webhooks sees it. */
export function verify({ raw, headers, id }: Delivery, secret: string): void {
  const webhook = new Webhook(secret);
  const sent = Number(headers['webhook-timestamp']);
  // The library refuses times of another clock than the machine's, and tests move the platform's.
  if (Math.abs(sent - Date.now() / 1e3) < 240) webhook.verify(raw, headers as Record<string, string>);
  else
    assert.ok(
      String(headers['webhook-signature'])
        .split(' ')
        .includes(webhook.sign(id, new Date(sent * 1e3), raw)),
      'the signature',
    );
}

export type Mail = { readonly to: string; readonly from: string; readonly text: string };
export type Mailbox = {
  /** For SMTP_URL. */
  readonly url: string;
  readonly mails: readonly Mail[];
  /** Whether mails are taken from now on. */
  take(taken: boolean): void;
  arrived(fits: (mail: Mail) => boolean, what?: string): Promise<Mail>;
  close(): Promise<void>;
};

/** A mail server that takes what comes. */
export async function mailbox(): Promise<Mailbox> {
  const mails: Mail[] = [];
  let taking = true;
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 500,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, { envelope }, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += String(chunk);
      });
      stream.on('end', () => {
        if (!taking) return done(Object.assign(new Error('try later'), { responseCode: 451 }));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ to: envelope.rcptTo.map(each => each.address).join(), from, text: unfolded(text) });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    take(taken) {
      taking = taken;
    },
    arrived: (fits, what = 'a mail') => until(async () => mails.find(fits), what),
    close: () =>
      new Promise(resolve => {
        server.close(resolve);
      }),
  };
}

/** Mail as it is read: each part out of base64 or quoted-printable. */
function unfolded(text: string): string {
  const base64 = /(content-transfer-encoding: base64[\s\S]*?\r\n\r\n)([A-Za-z0-9+/=\r\n]+)/gi;
  const bytes = text
    .replace(base64, (_, head: string, body: string) => head + Buffer.from(body, 'base64').toString('latin1'))
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
