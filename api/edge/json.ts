import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parseExactly } from '../../domain/exact-json.js';
import { Rejected } from '../../domain/rejected.js';
import { hasBody } from './body.js';
import { notValid, type Fault } from './errors.js';

const MAX_DEPTH = 64;

/** @throws Rejected 415 when there is a body of another type than JSON. An absent body counts as `{}`. */
export function wantsJson(req: IncomingMessage): void {
  const type = req.headers['content-type'];
  if (type === 'application/json' || !hasBody(req) || (type !== undefined && JSON_TYPE.test(type))) return;
  throw new Rejected(
    'unsupported',
    'unsupported_media_type',
    'Send the body as JSON: Content-Type: application/json',
  );
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset="?utf-?8"?\s*)?;?$/i;

/**
 * The JSON value in the bytes; `{}` when there are none.
 * @throws Rejected 400 for what is not JSON in UTF-8; 422 for more than 64 levels, and for strings that hold
 * half of a pair of surrogates, which no store could give back as they came
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const { json, text } = shallow(bytes);
  // In valid UTF-8 a lone surrogate can only stand as an escape
  if (text.includes('\\ud') || text.includes('\\uD')) {
    const faults: Fault[] = [];
    findHalfCharacters(json, ['body'], faults);
    if (faults.length > 0) throw notValid(faults);
  }
  return json;
}

/**
 * The same where strings are looked at one by one by who asks; integers that would be rounded are texts of
 * their digits. @throws Rejected 400, 422
 */
export const parseItems = (bytes: Buffer): unknown => shallow(bytes, parseExactly).json;

function shallow(bytes: Buffer, parse: (text: string) => unknown = JSON.parse) {
  const read = parsed(bytes, parse);
  if (isDeeper(read.json, MAX_DEPTH)) throw notValid([tooDeep]);
  return read;
}

function parsed(bytes: Buffer, parse: (text: string) => unknown): { json: unknown; text: string } {
  if (isUtf8(bytes)) {
    const text = bytes.toString();
    try {
      return { json: parse(text), text };
    } catch (error) {
      throw notJson(positionIn(error as SyntaxError, text));
    }
  }
  throw notJson(null);
}

const notJson = (position: number | null): Rejected =>
  new Rejected(
    'invalid',
    'invalid_json',
    'The body is not valid JSON',
    position === null ? {} : { position },
  );

/** The character at which reading failed, as far as the parser says so. */
function positionIn({ message }: SyntaxError, text: string): number | null {
  const said = /at position (\d+)/.exec(message)?.[1];
  if (said !== undefined) return Number(said);
  return message.startsWith('Unexpected end') ? text.length : null;
}

/** Whether a value has more than so many levels. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (isDeeper(item, levels - 1)) return true;
    }
    return false;
  }
  for (const name in value) {
    if (isDeeper((value as Record<string, unknown>)[name], levels - 1)) return true;
  }
  return false;
}

/** Finds strings, and names, that hold half of a character. */
function findHalfCharacters(value: unknown, loc: (string | number)[], faults: Fault[]): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) faults.push(halfCharacter([...loc]));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) findHalfCharacters(name, loc, faults);
    findHalfCharacters(member, [...loc, Array.isArray(value) ? Number(name) : name], faults);
  }
}

const halfCharacter = (loc: Fault['loc']): Fault => ({
  loc,
  msg: 'must be well-formed Unicode',
  type: 'string_unicode',
});
const tooDeep: Fault = {
  loc: ['body'],
  msg: `must not be nested more than ${MAX_DEPTH} levels deep`,
  type: 'json_depth',
};
