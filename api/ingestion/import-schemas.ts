import { fileFormats } from '../../domain/ingestion/imports/formats.js';
import { importStatuses } from '../../domain/ingestion/imports/state.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageMembers } from '../edge/paging.js';

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', format: 'date-time' } as const;
const column = { type: 'string', minLength: 1, maxLength: 10_000 } as const;
const key = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
} as const;
const maybe = (description: string) => ({ ...nullable(column), description });

export const importId = { type: 'string', minLength: 1, maxLength: 64 } as const;
export const format = { enum: fileFormats } as const;

const members = object(
  {
    time: { ...column, description: 'the column of times' },
    layout: {
      enum: ['long', 'wide'],
      description: 'long: a value in each row; wide: a series in each column',
    },
  },
  {
    time_format: {
      ...nullable({ type: 'string', minLength: 1, maxLength: 100 } as const),
      description: 'strftime, or a name that a preview gives; default: as the first rows have it',
      examples: ['%d.%m.%Y %H:%M'],
    },
    timezone: {
      ...nullable({ type: 'string', maxLength: 64 } as const),
      description: 'IANA; of times that name no zone themselves; default: UTC',
    },
    key: maybe('long: the column that names the series'),
    value: maybe('long: the column of values; with `event_text` alone that of the events'),
    entity: maybe('the column that says whose a row is: keys become `<key>__<entity>`'),
    columns: {
      ...nullable({
        type: 'object',
        additionalProperties: key,
        minProperties: 1,
        maxProperties: 10_000,
      } as const),
      description: 'wide: column -> key; default: all columns of numbers, each by its own name',
    },
    event_text: maybe('the column of texts that become events'),
    stream: {
      ...nullable(key),
      description: 'where events go (default `events`; not `.` or `..`), and how keys begin',
    },
    on_duplicate: {
      ...nullable({ enum: ['revise', 'skip'] } as const),
      description: 'what becomes of a value that is there already; default: revise',
    },
  },
);
export const mappingBody = {
  ...members,
  examples: [{ time: 'day', layout: 'wide', columns: { visits: 'shop.visits' }, timezone: 'Europe/Berlin' }],
} as const;

const problem = object({
  row: { ...nullable(whole), description: '1: the first after the names; null: the file as a whole' },
  column: nullable(text),
  message: text,
});
const columnShown = object({
  name: text,
  type: { enum: ['time', 'number', 'boolean', 'text', 'empty'] },
  time_format: { ...nullable(text), description: 'how its times are written' },
  other_time_format: { ...nullable(text), description: 'another way that would do as well' },
  missing: { ...whole, description: 'cells of the first rows that say nothing' },
});
const mapping = object({
  time: nullable(text),
  time_format: nullable(text),
  timezone: nullable(text),
  layout: nullable({ enum: ['long', 'wide'] }),
  key: nullable(text),
  value: nullable(text),
  entity: nullable(text),
  columns: nullable({ type: 'object', additionalProperties: text } as const),
  event_text: nullable(text),
  stream: nullable(text),
  on_duplicate: nullable({ enum: ['revise', 'skip'] }),
});
const summary = {
  import_id: importId,
  status: { enum: importStatuses },
  file: { ...text, description: 'its name' },
  format,
  bytes: whole,
  sha256: text,
  mapping,
  read: { ...whole, description: 'rows that were taken in so far' },
  accepted: { ...whole, description: 'points and events that were written' },
  duplicates: { ...whole, description: 'known before with nothing new' },
  rejected: { ...whole, description: 'rows of which something was not taken' },
  problems: { ...array(problem), description: 'the first 100' },
  error: nullable(object({ code: text, message: text })),
  created_at: time,
  updated_at: time,
  committed_at: nullable(time),
  finished_at: nullable(time),
} as const;
const looked = {
  columns: { ...array(columnShown), description: 'of the file as it was last looked at' },
  rows: { ...array(array(text)), description: 'the first 50, cells in the order of the columns' },
  previewed: {
    ...nullable(
      object({
        rows: whole,
        whole_file: { type: 'boolean', description: 'whether these are all of them' },
        points: whole,
        events: whole,
        rejected: whole,
      }),
    ),
    description: 'what the rows that were looked at would come to',
  },
} as const;

export const importAnswer = object({ data: object({ ...summary, ...looked }) });
export const listAnswer = object({ data: object({ imports: array(object(summary)), ...perPageMembers }) });
export const queuedAnswer = object({
  status: { const: 'queued' },
  data: object({ import_id: importId, status: { enum: importStatuses }, poll_url: text }),
});
export const cancelledAnswer = object({ status: { const: 'cancelled' }, import_id: importId });
