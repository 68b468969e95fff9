import { secret, variable, type Variable } from './variable.js';

/** What leaves the platform by itself: mail, and requests to addresses that users name. */
export const messages = {
  SMTP_URL: secret(
    { type: 'string', pattern: '^$|^smtps?://[^\\s]+$' },
    '',
    'The mail server, as `smtp://user:password@mail.example.org:587` (`smtps://` for TLS from the start); '
      + 'empty: no mail is sent, and email channels are refused',
  ),
  MAIL_FROM: variable(
    { type: 'string', pattern: '^$|^[^\\r\\n<>]*<?[^\\s<>@]+@[^\\s<>@]+>?$' },
    '',
    'The sender of mail, as `Presage <presage@example.org>`; needed beside `SMTP_URL`',
  ),
  OUTGOING_ALLOW: variable(
    { type: 'string', pattern: '^[0-9A-Fa-f.:/, ]*$' },
    '',
    'Networks that requests may go to although they are private, also without TLS, as '
      + '`10.0.0.0/8,127.0.0.1`; empty: the public internet by https alone',
  ),
} as const satisfies Record<string, Variable>;
