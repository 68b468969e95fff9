import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { ChannelType, FailureReason, Outcome } from '../../domain/notifications/channels/facts.js';
import {
  codeMail,
  codeSlack,
  mailOf,
  slackOf,
  webhookOf,
  type Content,
  type Mail,
} from '../../domain/notifications/channels/messages.js';
import type { Mailer } from '../ports/mail.js';
import { MailFailed } from '../ports/mail.js';
import { OutgoingFailed, type Outgoing } from '../ports/outgoing.js';

/** Where something is sent, opened. */
export type Target = {
  readonly channelType: ChannelType;
  readonly target: string;
  readonly secret: string | null;
};

type Deps = {
  readonly outgoing: Outgoing;
  /** Null where no mail server is set up. */
  readonly mailer: Mailer | null;
  /** Where the API is reached, as `https://presage.example.org`: what links in texts begin with. */
  readonly publicUrl: () => string;
  readonly clock: () => number;
};
type Ends = AbortSignal;
export type Sending = ReturnType<typeof sending>;

/** So long whoever is told may take to answer. */
export const ANSWERED_WITHIN_MS = 10_000;
const CHALLENGE_BYTES = 65_536;
const NO_MAIL: Outcome = { ok: false, statusCode: null, reason: 'mail_unavailable' };

/** Tells somebody something over a channel, once; none of these throws where that fails. */
export function sending({ outgoing, mailer, publicUrl, clock }: Deps) {
  /** `maxBytes`: so much of the answer is read. */
  const post = (url: string, body: string, headers: Record<string, string>, maxBytes: number, ends?: Ends) =>
    outgoing.send({
      ...{ method: 'POST', url, body, maxBytes, withinMs: ANSWERED_WITHIN_MS, ...(ends && { signal: ends }) },
      headers: { 'content-type': 'application/json', 'user-agent': 'Presage', ...headers },
    });
  const signed = (secret: string, id: string, body: string): Record<string, string> => {
    const at = new Date(clock());
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
  };
  const told = (send: () => Promise<{ readonly status: number }>): Promise<Outcome> =>
    attempt(async () => {
      const { status } = await send();
      const ok = status >= 200 && status < 300;
      return { ok, statusCode: status, reason: ok ? null : 'status' };
    });
  const mailed = async (to: string, id: string, mail: Mail, ends?: Ends): Promise<Outcome> =>
    mailer
      ? attempt(async () => {
          const statusCode = await mailer.send({ id, to, ...mail }, ends);
          return { ok: true, statusCode, reason: null };
        })
      : NO_MAIL;
  const posted = (url: string, body: object, ends?: Ends) =>
    told(() => post(url, JSON.stringify(body), {}, 0, ends));

  return {
    canMail: mailer !== null,
    /** Why a URL may not be a target, in words; null: it may. */
    refusal: outgoing.refusal,

    /** `id`: of the delivery, the same at each attempt. `ends`: what cuts it short. */
    deliver({ channelType, target, secret }: Target, id: string, content: Content, ends?: Ends) {
      if (channelType === 'email') return mailed(target, id, mailOf(content, publicUrl()), ends);
      if (channelType === 'slack') return posted(target, slackOf(content, publicUrl()), ends);
      const body = JSON.stringify(webhookOf(content));
      return told(() => post(target, body, signed(secret!, id, body), 0, ends));
    },
    code: ({ channelType, target }: Target, code: string): Promise<Outcome> =>
      channelType === 'email'
        ? mailed(target, `code-${randomUUID()}`, codeMail(code))
        : posted(target, codeSlack(code)),
    /** Sends a challenge; `ok`: it came back, in `challenge` of a JSON object or as the whole text. */
    challenge: ({ target, secret }: Target, challenge: string): Promise<Outcome> =>
      attempt(async () => {
        const body = JSON.stringify({ type: 'challenge', challenge });
        const headers = signed(secret!, `msg_${randomUUID()}`, body);
        const answer = await post(target, body, headers, CHALLENGE_BYTES);
        const isFine = answer.status >= 200 && answer.status < 300;
        const ok = isFine && echoOf(answer.body.toString()) === challenge;
        const reason = isFine ? 'not_echoed' : 'status';
        return { ok, statusCode: answer.status, reason: ok ? null : reason };
      }),
  };
}

function echoOf(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && 'challenge' in value ? value.challenge : value;
  } catch {
    return text.trim();
  }
}

async function attempt(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutgoingFailed) return failed(error.reason, null);
    if (error instanceof MailFailed) return failed(error.reason, error.statusCode);
    throw error;
  }
}

const failed = (reason: FailureReason, statusCode: number | null): Outcome => ({
  ...{ ok: false, statusCode, reason },
});
