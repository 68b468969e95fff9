import type { ChannelType } from '../../domain/notifications/channels/facts.js';
import { Rejected } from '../../domain/rejected.js';
import { notValid } from '../edge/errors.js';
import type { ChannelDeps } from './deps.js';

/** One address, without what mail programs take for a list, a name or a comment. */
const ADDRESS = /^[^\s@<>()[\],;:"\\]{1,64}@[^\s@<>()[\],;:"\\]{1,253}$/;
const loc = ['body', 'target'];

/**
 * A target as it is kept.
 * @throws Rejected 422 for what is none, and for an address that may not be asked, or where there is no mail
 */
export async function checkedTarget(
  type: ChannelType,
  target: string,
  { canMail, refusal }: Pick<ChannelDeps, 'canMail' | 'refusal'>,
): Promise<string> {
  if (type === 'email') {
    if (!ADDRESS.test(target)) throw wrong('must be an email address');
    if (!canMail) throw notSetUp();
    return target;
  }
  const url = URL.canParse(target) ? new URL(target) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw wrong('must be an https URL, or http where the operator allows it');
  if (url.username !== '' || url.password !== '') throw wrong('must not hold a user or a password');
  url.hash = '';
  const why = await refusal(url.href);
  if (why !== null)
    throw new Rejected('unprocessable', 'address_not_allowed', `The target ${why}`, {
      detail: [{ loc, msg: why, type: 'address_not_allowed' }],
    });
  return url.href;
}

const wrong = (msg: string): Rejected => notValid([{ loc, msg, type: 'value_error' }]);

const MAIL_MISSING = 'no mail can be sent: whoever runs this platform must set SMTP_URL and MAIL_FROM';
const notSetUp = (): Rejected =>
  new Rejected('unprocessable', 'mail_unavailable', `Here ${MAIL_MISSING}`, {
    detail: [{ loc: ['body', 'type'], msg: MAIL_MISSING, type: 'mail_unavailable' }],
  });

export const noMail = (): Rejected =>
  new Rejected('unavailable', 'mail_unavailable', 'The mail server does not answer just now');
