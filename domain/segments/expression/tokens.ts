/**
 * `place`: the character it begins at, from 0. `word`: a name that may be a function; `quoted`: one that
 * cannot.
 */
export type Token = {
  readonly kind: 'number' | 'word' | 'quoted' | 'sign' | 'end';
  readonly text: string;
  readonly place: number;
};

const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_][A-Za-z0-9_.]*/y;
const QUOTED = /`([^`]+)`/y;
const SIGN = /[-+*/(),]/y;
const SPACE = /\s*/y;

/** @throws what `fault` makes where something is no token */
export function tokensOf(text: string, fault: (message: string, place: number) => Error): Token[] {
  const tokens: Token[] = [];
  const match = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  for (let at = match(SPACE, 0)![0].length; at < text.length; ) {
    const token = tokenAt(match, at);
    if (!token) throw fault(`${JSON.stringify(text[at])} means nothing here`, at);
    tokens.push(token.token);
    at = token.end + match(SPACE, token.end)![0].length;
  }
  return [...tokens, { kind: 'end', text: '', place: text.length }];
}

function tokenAt(
  match: (pattern: RegExp, at: number) => RegExpExecArray | null,
  place: number,
): { readonly token: Token; readonly end: number } | null {
  const kinds = [
    ['number', NUMBER],
    ['word', WORD],
    ['quoted', QUOTED],
    ['sign', SIGN],
  ] as const;
  for (const [kind, pattern] of kinds) {
    const found = match(pattern, place);
    if (found) return { token: { kind, text: found[1] ?? found[0], place }, end: place + found[0].length };
  }
  return null;
}
