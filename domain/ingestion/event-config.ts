import { isReserved } from '../aliases.js';
import { PATHLESS, PATHLESS_RULE } from '../events/streams.js';
import { Rejected } from '../rejected.js';
import { firstStep, parsePath, PathFault, type ReadPath } from './paths.js';

/** How items are read: spec 2.8. Null: there is no such path. */
export type EventConfig = {
  /** Name of the stream, and the prefix of keys of signals. */
  readonly stream: string;
  /** To the list of items; null: the body itself. */
  readonly arrayPath: string | null;
  readonly textPath: string;
  readonly occurredAtPath: string;
  /** To the provider's id of an event, or to the entity of a signal row. */
  readonly idPath: string | null;
};

export const defaultEventConfig: EventConfig = {
  stream: 'events',
  arrayPath: null,
  textPath: 'text',
  occurredAtPath: 'occurred_at',
  idPath: null,
};

/** A config as callers write it; absent or null: the default. */
export type GivenEventConfig = {
  readonly stream?: string | null;
  readonly array_path?: string | null;
  readonly text_path?: string | null;
  readonly occurred_at_path?: string | null;
  readonly id_path?: string | null;
};

const MOST_STREAM = 200;
const CONTROL = /[\u0000-\u001f\u007f]/;

/** What is given, over what was: the defaults at first. @throws Rejected 422 naming field and fault */
export function eventConfigOf(
  given: GivenEventConfig,
  before: EventConfig = defaultEventConfig,
): EventConfig {
  const { stream, array_path, text_path, occurred_at_path, id_path } = given;
  const config = {
    stream: chosen(stream, before.stream, defaultEventConfig.stream),
    arrayPath: chosen(array_path, before.arrayPath, null),
    textPath: chosen(text_path, before.textPath, defaultEventConfig.textPath),
    occurredAtPath: chosen(occurred_at_path, before.occurredAtPath, defaultEventConfig.occurredAtPath),
    idPath: chosen(id_path, before.idPath, null),
  };
  if (config.stream === '' || config.stream.length > MOST_STREAM || CONTROL.test(config.stream))
    throw wrongConfig('stream', `must be 1 to ${MOST_STREAM} characters without control characters`);
  if (isReserved(config.stream)) throw wrongConfig('stream', 'has a reserved name');
  if (PATHLESS.includes(config.stream)) throw wrongConfig('stream', PATHLESS_RULE);
  readersOf(config);
  return config;
}

/** Absent: as it was; null: the default. */
const chosen = <T>(given: T | null | undefined, before: T, fallback: T): T =>
  given === undefined ? before : (given ?? fallback);

/** The config as answers show it. */
export const eventConfigView = (config: EventConfig) => ({
  stream: config.stream,
  array_path: config.arrayPath,
  text_path: config.textPath,
  occurred_at_path: config.occurredAtPath,
  id_path: config.idPath,
});

/** A config made ready to read items by. */
export type Readers = {
  readonly list: ReadPath | null;
  readonly text: ReadPath;
  readonly occurredAt: ReadPath;
  readonly id: ReadPath | null;
  /** Members of a row that are no values: where its time and its entity lie. */
  readonly apart: ReadonlySet<string>;
};

/** @throws Rejected 422 for what is no path */
export function readersOf({ arrayPath, textPath, occurredAtPath, idPath }: EventConfig): Readers {
  return {
    list: arrayPath === null ? null : readerOf('array_path', arrayPath),
    text: readerOf('text_path', textPath),
    occurredAt: readerOf('occurred_at_path', occurredAtPath),
    id: idPath === null ? null : readerOf('id_path', idPath),
    apart: new Set([occurredAtPath, ...(idPath === null ? [] : [idPath])].map(firstStep)),
  };
}

function readerOf(field: string, path: string): ReadPath {
  try {
    return parsePath(path);
  } catch (error) {
    if (error instanceof PathFault) throw wrongConfig(field, error.message);
    throw error;
  }
}

const wrongConfig = (field: string, msg: string): Rejected =>
  new Rejected('unprocessable', 'validation_error', '1 field is not valid', {
    detail: [{ loc: ['body', 'event_config', field], msg, type: 'event_config' }],
  });
