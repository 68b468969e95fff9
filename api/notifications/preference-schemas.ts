import { severities } from '../../domain/notifications/kind.js';
import { nullable, object } from '../../json-schema.js';

const flag = { type: 'boolean' } as const;
/** More names than this are a mistake. */
const MOST = 200;
const choices = {
  type: 'object',
  additionalProperties: flag,
  maxProperties: MOST,
  description: 'by `in_app` (the feed), `email` (all email channels), or the id of a channel of yours',
  examples: [{ in_app: true, email: false }],
} as const;
const hour = {
  type: 'string',
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'as clocks of the time zone show it',
  examples: ['22:00'],
} as const;

const members = {
  defaults: choices,
  kinds: {
    type: 'object',
    additionalProperties: { ...choices, description: 'instead of the defaults, for one kind' },
    maxProperties: MOST,
    description: 'kinds with choices of their own',
    examples: [{ 'deployment.failed': { email: true } }],
  },
  min_severity: {
    type: 'object',
    additionalProperties: { enum: severities },
    maxProperties: MOST,
    description: 'nothing below it; by the same names',
    examples: [{ email: 'warning' }],
  },
  quiet_hours: {
    ...nullable(
      object(
        {
          from: hour,
          to: { ...hour, examples: ['07:00'] },
          timezone: {
            type: 'string',
            maxLength: 64,
            description: 'of the IANA database',
            examples: ['Europe/Berlin'],
          },
        },
        {
          except_critical: {
            ...flag,
            default: true,
            description: 'what is critical is delivered all the same',
          },
        },
      ),
    ),
    description: 'channels keep still from `from` to `to`, and deliver at `to`; the feed goes on',
    examples: [{ from: '22:00', to: '07:00', timezone: 'Europe/Berlin', except_critical: true }],
  },
  digest: {
    enum: ['off', 'daily', 'weekly'],
    description:
      'email and slack get one message with all that came since: at 8:00 by the time zone of the quiet '
      + 'hours, or of your profile; a weekly one on Monday. What is critical goes by itself, as webhooks do',
    examples: ['daily'],
  },
} as const;

export const preferencesBody = object({}, members);
export const preferencesAnswer = object({ data: object(members) });
