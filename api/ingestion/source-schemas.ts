import { sourceKinds, sourceModes } from '../../domain/ingestion/sources/facts.js';
import { sourceStatuses } from '../../domain/ingestion/sources/state.js';
import { array, nullable, object, type ObjectSchema } from '../../json-schema.js';
import type { Connector } from './connectors.js';
import { restMembers, shownRestMembers } from './poll-connectors.js';
import { goneOr } from '../edge/dry-run.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';

export const text = { type: 'string' } as const;
export const time = { type: 'string', format: 'date-time' } as const;
export const flag = { type: 'boolean' } as const;
export const whole = { type: 'integer', minimum: 0 } as const;
export const SOURCE_ID = 'src_2i784ss2gib1q0x9';
export const sourceId = { ...text, examples: [SOURCE_ID] } as const;
export const sourceParams = object({ source_id: sourceId });

const path = (fallback: string, description: string) =>
  ({
    type: ['string', 'null'],
    maxLength: 500,
    description: `${description}; default: ${fallback}`,
  }) as const;
/** How items are read: spec 2.8. */
export const eventConfig = object(
  {},
  {
    stream: {
      type: ['string', 'null'],
      maxLength: 200,
      description: 'name of the stream (not `.` or `..`), and prefix of keys of signals; default: `events`',
      examples: ['news:oil'],
    },
    array_path: path('the body itself', 'path to the list of items, as `data.items` or `a.b[0]["odd.key"]`'),
    text_path: path('`text`', 'path to the text of an event in an item, of at most 100,000 characters'),
    occurred_at_path: path('`occurred_at`', 'path to the time: epoch seconds, epoch milliseconds, ISO 8601'),
    id_path: path(
      'none',
      'path to the id of an event at its provider (at most 500 characters), or to the entity of a signal row',
    ),
  },
);
const shownEventConfig = object(
  {
    stream: text,
    array_path: nullable(text),
    text_path: text,
    occurred_at_path: text,
    id_path: nullable(text),
  },
  shownRestMembers,
);

/** The same with what is asked of an address. */
const pollConfig = object({}, { ...eventConfig.properties, ...restMembers });

const name = {
  type: 'string',
  minLength: 1,
  maxLength: 120,
  pattern: '\\S',
  examples: ['Status page'],
} as const;
const urls = {
  webhook_url_events: nullable(text),
  webhook_url_signal: nullable(text),
  webhook_url: { ...nullable(text), description: 'the same as that of events' },
} as const;
const secret = {
  ...nullable(text),
  description: 'what deliveries are signed with; shown this once',
} as const;

export const createEventBody = object(
  {
    mode: {
      enum: ['push', 'poll'],
      description: '`push`: a webhook source; `poll`: an address that is asked by a schedule',
      examples: ['push'],
    },
  },
  {
    name: { ...name, type: ['string', 'null'] },
    event_config: { ...pollConfig, description: 'how items are read; of `poll` also what is asked' },
  },
);
export const createEventAnswer = object({
  data: object({
    status: { const: 'created' },
    source_id: sourceId,
    kind: { const: 'event' },
    mode: { enum: sourceModes },
    stream: text,
    job_ids: array(text),
    ...urls,
    webhook_secret: secret,
    message: text,
  }),
});

const counters = object({
  deliveries: whole,
  accepted: whole,
  duplicates: whole,
  rejected: whole,
  bytes: whole,
  suspected_replays: {
    ...whole,
    description: 'the same body again within ten minutes, where there is no `id_path`',
  },
});
const source = {
  source_id: sourceId,
  name: text,
  connector_id: text,
  kind: { enum: sourceKinds },
  mode: { enum: sourceModes },
  stream: text,
  status: { enum: sourceStatuses },
  config: { type: 'object', description: 'secrets are shown as `***`' },
  event_config: shownEventConfig,
  ...urls,
  has_secret: flag,
  previous_secret_expires_at: { ...nullable(time), description: 'until when secrets of before count' },
  job_ids: array(text),
  created_at: time,
  updated_at: time,
  last_delivery_at: nullable(time),
  counters_24h: counters,
  last_error: nullable(object({ code: text, message: text, at: time })),
} as const;
export const sourceAnswer = object({ data: object(source) });
export const sourceMadeAnswer = object({ data: object({ ...source, webhook_secret: secret }) });
export const sourcesAnswer = object({
  data: object({ sources: array(object(source)), ...perPageMembers }),
});
export const pagedQuery = object(perPageQuery());

const config = { type: 'object', description: 'as the `config_schema` of the connector says' } as const;
export const sourceBody = object(
  { connector_id: { ...text, examples: ['webhook'] } },
  { name, config, event_config: pollConfig },
);
/** What is known of it where its connector is. */
export const sourceBodyOf = (connector: Connector | undefined): ObjectSchema =>
  object({}, { ...sourceBody.properties, ...(connector && { config: connector.config }) });
export const sourcePatchBody = object({}, { name, config, event_config: pollConfig });
export const deletedAnswer = goneOr({ source_id: text });

export const rotateBody = object(
  {},
  {
    grace_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: 604_800,
      default: 86_400,
      description: 'so long the secrets of before still count',
      examples: [3_600],
    },
  },
);
export const rotatedAnswer = object({
  data: object({ source_id: sourceId, webhook_secret: secret, previous_secret_expires_at: time }),
});

export const connectorsAnswer = object({
  data: object({
    connectors: array(
      object({
        connector_id: text,
        name: text,
        kind: { enum: ['push', 'poll', 'file'] },
        produces: array({ enum: ['events', 'signals'] }),
        config_schema: { type: 'object', description: 'JSON Schema 2020-12' },
        status: { enum: ['available', 'beta', 'disabled'] },
      }),
    ),
    ...perPageMembers,
  }),
});
export const connectorAnswer = object({
  data: connectorsAnswer.properties.data.properties.connectors.items,
});
