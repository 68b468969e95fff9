/**
 * JSON as `JSON.parse` reads it, but for integers that it would round, as ids of 64 bits are: of those it is
 * the text of their digits. @throws SyntaxError as `JSON.parse` does
 */
export function parseExactly(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return mayBeRounded(json) ? JSON.parse(quoted(json)) : value;
}

/** So many has the least integer that is rounded. */
const DIGITS = 16;
const NUMBER = /-?\d[\d.eE+-]*/g;
const INTEGER = /^-?\d+$/;
/** No number stands beside these. */
const PART_OF_MORE = /[\w.+"]/;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Whether so many digits stand alone somewhere. One character in sixteen says it for most JSON. */
function mayBeRounded(json: string): boolean {
  for (let at = DIGITS - 1; at < json.length; at += DIGITS) {
    if (!isDigit(json.charCodeAt(at))) continue;
    let from = at;
    while (isDigit(json.charCodeAt(from - 1))) from--;
    while (isDigit(json.charCodeAt(at + 1))) at++;
    const isLong = at - from >= DIGITS - 1;
    if (isLong && !PART_OF_MORE.test(json.charAt(from - 1) + json.charAt(at + 1))) return true;
  }
  return false;
}

/** Valid JSON with such integers as texts. Its texts, which may be long, are passed without a pattern. */
function quoted(json: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < json.length; ) {
    const found = json.indexOf('"', at);
    const begin = found < 0 ? json.length : found;
    if (begin - at >= DIGITS) {
      parts.push(json.slice(kept, at), json.slice(at, begin).replace(NUMBER, asKept));
      kept = begin;
    }
    at = found < 0 ? begin : endOfText(json, begin);
  }
  return parts.join('') + json.slice(kept);
}

const asKept = (number: string): string =>
  number.length >= DIGITS && INTEGER.test(number) && String(Number(number)) !== number
    ? `"${number}"`
    : number;

/** The place behind the text that begins at a place. */
function endOfText(json: string, begin: number): number {
  for (let end = json.indexOf('"', begin + 1); ; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
}
