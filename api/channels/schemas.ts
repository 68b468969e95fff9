import { deliveryStatuses } from '../../domain/notifications/channels/deliveries.js';
import { channelTypes, failureReasons } from '../../domain/notifications/channels/facts.js';
import { channelStatuses } from '../../domain/notifications/channels/state.js';
import { array, nullable, object } from '../../json-schema.js';
import { goneOr } from '../edge/dry-run.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const flag = { type: 'boolean' } as const;
const whole = { type: 'integer', minimum: 0 } as const;

export const CHANNEL_ID = 'chn_2i784ss2gib1q0x9';
const channelId = { ...text, examples: [CHANNEL_ID] } as const;
const statusCode = {
  ...nullable({ type: 'integer' }),
  description: 'of the answer, by HTTP or of the mail server; null: there was none',
} as const;
const reason = {
  ...nullable({ enum: failureReasons }),
  description: 'why it failed; null: it did not',
} as const;

const channel = {
  channel_id: channelId,
  type: { enum: ['in_app', ...channelTypes] },
  name: nullable(text),
  target: { ...nullable(text), description: 'masked', examples: ['https://hooks.example.org/***'] },
  status: { enum: channelStatuses },
  disabled_reason: {
    ...nullable({ enum: ['gone', 'failing', 'owner'] }),
    description: '`gone`: it answered 410; `failing`: for 72 hours; `owner`: you did it',
  },
  last_delivery: nullable(object({ at: time, ok: flag, status_code: statusCode })),
  created_at: { ...nullable(time), description: 'null: it was always there' },
} as const;
const verification = nullable(
  object({
    method: {
      enum: ['code', 'challenge'],
      description: '`code`: one was sent, to be given to `/verify`; `challenge`: it was asked to echo',
    },
    ok: { ...flag, description: 'the code has left, or the challenge was echoed' },
    status_code: statusCode,
    reason,
  }),
);
export const channelAnswer = object({ data: object(channel) });
export const verifiedAnswer = object({ data: object({ ...channel, verification }) });
export const channelMadeAnswer = object({
  data: object(
    { ...channel, verification },
    {
      secret: {
        ...text,
        description: 'of a webhook: what its deliveries are signed with; shown this once',
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      },
    },
  ),
});
export const channelsAnswer = object({
  data: object({ channels: array(object(channel)), ...perPageMembers }),
});
export const channelsQuery = object(perPageQuery());
export const channelParams = object({ channel_id: channelId });

const name = { type: 'string', minLength: 1, maxLength: 120, pattern: '\\S', examples: ['On call'] } as const;
const target = {
  type: 'string',
  minLength: 1,
  maxLength: 2_000,
  writeOnly: true,
  description: 'an email address, or the https URL of a webhook or of an incoming webhook of Slack',
  examples: ['https://hooks.example.org/presage'],
} as const;
export const channelBody = object(
  { type: { enum: channelTypes, examples: ['webhook'] }, target },
  { name: { ...name, description: 'its type when absent' } },
);
export const channelPatchBody = object(
  {},
  {
    name,
    target: { ...target, description: `${target.description}; it has to be verified again` },
    enabled: {
      ...flag,
      description: 'false: nothing is sent; true: it may be, once it is verified again',
      examples: [true],
    },
  },
);
export const verifyBody = object(
  {},
  {
    code: {
      type: 'string',
      minLength: 1,
      maxLength: 20,
      writeOnly: true,
      description: 'the one that was sent to an email or slack channel; absent: another one is sent',
      examples: ['024681'],
    },
  },
);
export const testAnswer = object({ data: object({ ok: flag, status_code: statusCode, reason, at: time }) });
export const removedAnswer = goneOr({ channel_id: text });

const delivery = object({
  delivery_id: {
    ...text,
    description: 'the `webhook-id` of every attempt',
    examples: ['dlv_2i784ss2gib1q0x9_0k3v9x1m2n4p5q6r'],
  },
  notification_ids: array(text),
  digest: flag,
  status: { enum: deliveryStatuses },
  attempts: whole,
  requested_at: time,
  next_attempt_at: { ...nullable(time), description: 'null: it is not tried again by itself' },
  last_attempt_at: nullable(time),
  last_status_code: statusCode,
  last_reason: reason,
  parked_reason: nullable({ enum: ['attempts_exhausted', 'channel_disabled', 'channel_not_verified'] }),
});
export const deliveriesQuery = object(perPageQuery(), {
  status: { enum: deliveryStatuses, examples: ['parked'] },
});
export const deliveriesAnswer = object({
  data: object({ deliveries: array(delivery), ...perPageMembers }),
});
export const deliveryAnswer = object({ data: delivery });
export const deliveryParams = object({
  channel_id: channelId,
  delivery_id: { ...text, examples: ['dlv_2i784ss2gib1q0x9_0k3v9x1m2n4p5q6r'] },
});
export const replayedAnswer = object({
  status: { const: 'queued' },
  data: object({ delivery_id: text, status: { enum: deliveryStatuses }, poll_url: text }),
});
