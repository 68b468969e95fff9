/** Reads what a path leads to in a value; undefined: nothing is there. */
export type ReadPath = (value: unknown) => unknown;

/** A text that is no path; `at`: the place in it, from 0. */
export class PathFault extends Error {
  constructor(
    readonly fault: string,
    readonly at: number,
  ) {
    super(`${fault} (at ${at})`);
  }
}

/** Longer paths are surely a mistake. */
const MOST_CHARACTERS = 500;
const MOST_STEPS = 32;
/** A name without quotes ends at these. */
const PLAIN = /[^.[\]"]+/y;
const INDEX = /\[(\d{1,9})\]/y;
const QUOTED = /\["((?:[^"\\]|\\["\\])*)"\]/y;

/**
 * Parses `a.b[0]["odd.key"]`: names after dots, places of lists and quoted names in brackets (`\"` and `\\`
 * inside). Reading sees a value's own members alone. @throws PathFault
 */
export function parsePath(text: string): ReadPath {
  const steps = stepsOf(text);
  return value => {
    let here = value;
    for (const step of steps) {
      if (typeof here !== 'object' || here === null || !isOwn(here, step)) return undefined;
      here = (here as Record<string, unknown>)[step];
    }
    return here;
  };
}

/** The first name of a path: the member of the item that it lies in. */
export const firstStep = (text: string): string => stepsOf(text)[0]!;

function stepsOf(text: string): string[] {
  if (text === '') throw new PathFault('must not be empty', 0);
  if (text.length > MOST_CHARACTERS)
    throw new PathFault(`must have at most ${MOST_CHARACTERS} characters`, MOST_CHARACTERS);
  const steps: string[] = [];
  for (let at = 0; at < text.length; ) {
    const name = nameAt(text, at);
    if (!name) throw new PathFault('must be names with dots between, [0] or ["name"]', at);
    steps.push(name.name);
    at = name.end;
    if (steps.length > MOST_STEPS) throw new PathFault(`must have at most ${MOST_STEPS} parts`, at);
  }
  return steps;
}

function nameAt(text: string, at: number): { name: string; end: number } | null {
  const bracket = matchAt(INDEX, text, at) ?? matchAt(QUOTED, text, at);
  if (bracket) return { ...bracket, name: bracket.name.replace(/\\(["\\])/g, '$1') };
  if (at === 0) return matchAt(PLAIN, text, 0);
  return text[at] === '.' ? matchAt(PLAIN, text, at + 1) : null;
}

function matchAt(pattern: RegExp, text: string, at: number): { name: string; end: number } | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match && { name: match[1] ?? match[0], end: pattern.lastIndex };
}

/** The length of a list is its own, too, but no part of what was sent. */
const isOwn = (value: object, name: string): boolean =>
  Object.prototype.propertyIsEnumerable.call(value, name);
