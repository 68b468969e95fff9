/** `id`: the same whenever the same mail is sent again, so that who gets it twice can tell. */
export type Mail = {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
};

/**
 * `status`: the mail server refused this mail. `mail_unavailable`: it does not answer, or does not know us.
 * `statusCode`: of SMTP; null: there was no answer.
 */
export class MailFailed extends Error {
  constructor(
    readonly reason: 'status' | 'mail_unavailable',
    readonly statusCode: number | null,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The port to the mail server of the operator. */
export type Mailer = {
  /** Answers the code by which the server took it. @throws MailFailed */
  readonly send: (mail: Mail, signal?: AbortSignal) => Promise<number>;
  readonly close: () => Promise<void>;
};
