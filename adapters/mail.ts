import type { SendMailOptions } from 'nodemailer';
import { MailFailed, type Mailer } from '../commands/ports/mail.js';

type Where = {
  /** As `smtp://user:password@host:587`. */
  readonly url: string;
  /** The sender, as `Presage <presage@example.org>`. */
  readonly from: string;
};

const CONNECTED_WITHIN_MS = 10_000;
const SENT_WITHIN_MS = 30_000;
/** What a server says of one mail; all else says something of the server. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

/** Mail by SMTP, a connection for each. */
export function smtpMailer({ url, from }: Where): Mailer {
  const options = {
    url,
    connectionTimeout: CONNECTED_WITHIN_MS,
    greetingTimeout: CONNECTED_WITHIN_MS,
    socketTimeout: CONNECTED_WITHIN_MS,
    // What a mail says never names a file or an address that is read for it
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const host = /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  const ending = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  const sent = async (mail: SendMailOptions, ends: readonly AbortSignal[]): Promise<number> => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), SENT_WITHIN_MS);
    const signal = AbortSignal.any([ending.signal, late.signal, ...ends]);
    try {
      const { createTransport } = await import('nodemailer');
      const timed = { ...mail, signal };
      const { response } = await createTransport(options).sendMail(timed);
      return Number(response.slice(0, 3));
    } catch (error) {
      throw failureOf(error);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    async send({ id, to, subject, text }, ends) {
      const mail = {
        ...{ from, subject, text },
        // As an object an address is one address, whatever is in it
        to: { name: '', address: to },
        messageId: `<${id}@${host}>`,
        headers: { 'auto-submitted': 'auto-generated' },
      };
      const work = sent(mail, ends ? [ends] : []);
      underWay.add(work);
      try {
        return await work;
      } finally {
        underWay.delete(work);
      }
    },
    async close() {
      ending.abort();
      await Promise.allSettled(underWay);
    },
  };
}

function failureOf(error: unknown): MailFailed {
  const { code = '', responseCode = null, message } = error as Failure;
  const isAboutMail = ABOUT_THE_MAIL.has(code) && responseCode !== null;
  return new MailFailed(isAboutMail ? 'status' : 'mail_unavailable', responseCode, message, { cause: error });
}
type Failure = Error & { readonly code?: string; readonly responseCode?: number | null };
