import { LIMITS } from '../recipe.js';
import { tokensOf, type Token } from './tokens.js';

/** What an expression does, in the order in which it does it, on a pile of columns. */
export type Operation =
  | { readonly op: 'number'; readonly value: number }
  | { readonly op: 'column'; readonly name: string }
  | { readonly op: 'lag'; readonly steps: number }
  | { readonly op: '+' | '-' | '*' | '/' | 'min' | 'max' | 'negative' | 'abs' | 'log' };

/**
 * `columns`: those it names, each with the character, from 0, at which it first does. `depth`: how many
 * columns lie on the pile at most. `back`: how many rows it looks back.
 */
export type Expression = {
  readonly operations: readonly Operation[];
  readonly columns: ReadonlyMap<string, number>;
  readonly depth: number;
  readonly back: number;
};

/** `place`: the character, from 0, at which an expression is wrong. */
export class ExpressionFault extends Error {
  constructor(
    message: string,
    readonly place: number,
  ) {
    super(`${message} at character ${place + 1}`);
  }
}

/**
 * Reads an expression: numbers, names (others in backticks), `+ - * /`, brackets, `min` and `max` of two or
 * more, `abs`, `log` (natural), `lag(x, n)` with a literal n from 1.
 * @throws ExpressionFault, also over `LIMITS.expression_characters`, `_levels` and `look_back`
 */
export function parseExpression(text: string): Expression {
  if (text.length > LIMITS.expression_characters)
    throw new ExpressionFault(
      `an expression has at most ${LIMITS.expression_characters} characters`,
      LIMITS.expression_characters,
    );
  const parser = new Parser(tokensOf(text, (message, place) => new ExpressionFault(message, place)));
  const back = parser.whole();
  const { operations, columns } = parser;
  return { operations, columns, depth: depthOf(operations), back };
}

const told = ({ kind, text }: Token): string => (kind === 'end' ? 'the end' : `'${text}'`);

const FUNCTIONS: readonly string[] = ['min', 'max', 'abs', 'log', 'lag'];
const UNARY = new Set(['number', 'column']);
const SAME = new Set(['lag', 'negative', 'abs', 'log']);

function depthOf(operations: readonly Operation[]): number {
  let depth = 0;
  let most = 0;
  for (const { op } of operations) {
    if (UNARY.has(op)) depth++;
    else if (!SAME.has(op)) depth--;
    most = Math.max(most, depth);
  }
  return most;
}

/** By recursive descent. Each part answers how many rows it looks back. */
class Parser {
  readonly operations: Operation[] = [];
  readonly columns = new Map<string, number>();
  #at = 0;
  #level = 0;

  constructor(readonly tokens: readonly Token[]) {}

  whole(): number {
    const back = this.#sum();
    const { kind, place } = this.#token;
    if (kind !== 'end')
      throw new ExpressionFault(`nothing may follow here, found ${told(this.#token)}`, place);
    return back;
  }

  get #token(): Token {
    return this.tokens[this.#at]!;
  }

  #take(text: string): boolean {
    if (this.#token.kind !== 'sign' || this.#token.text !== text) return false;
    this.#at++;
    return true;
  }

  #need(text: string): void {
    if (!this.#take(text))
      throw new ExpressionFault(`expected '${text}', found ${told(this.#token)}`, this.#token.place);
  }

  #sum(): number {
    return this.#chain(['+', '-'], () => this.#product());
  }

  #product(): number {
    return this.#chain(['*', '/'], () => this.#factor());
  }

  #chain(signs: readonly ('+' | '-' | '*' | '/')[], part: () => number): number {
    let back = part();
    for (let sign = this.#oneOf(signs); sign; sign = this.#oneOf(signs)) {
      back = Math.max(back, part());
      this.operations.push({ op: sign });
    }
    return back;
  }

  #oneOf<T extends string>(signs: readonly T[]): T | undefined {
    return signs.find(sign => this.#take(sign));
  }

  #factor(): number {
    const { kind, text, place } = this.#token;
    if (this.#take('-')) return this.#within(place, () => this.#negative());
    if (this.#take('(')) return this.#within(place, () => this.#bracket());
    if (kind === 'end' || kind === 'sign')
      throw new ExpressionFault(`expected a number, a name or a bracket, found ${told(this.#token)}`, place);
    this.#at++;
    if (kind === 'number') this.operations.push({ op: 'number', value: Number(text) });
    else if (kind === 'word' && this.#take('(')) return this.#within(place, () => this.#call(text, place));
    else this.#column(text, place);
    return 0;
  }

  #column(name: string, place: number): void {
    if (!this.columns.has(name)) this.columns.set(name, place);
    this.operations.push({ op: 'column', name });
  }

  /** One level deeper. */
  #within(place: number, part: () => number): number {
    if (++this.#level > LIMITS.expression_levels)
      throw new ExpressionFault(`an expression has at most ${LIMITS.expression_levels} levels`, place);
    const back = part();
    this.#level--;
    return back;
  }

  #negative(): number {
    const back = this.#factor();
    this.operations.push({ op: 'negative' });
    return back;
  }

  #bracket(): number {
    const back = this.#sum();
    this.#need(')');
    return back;
  }

  #call(name: string, place: number): number {
    const back = this.#arguments(name, place);
    this.#need(')');
    return back;
  }

  #arguments(name: string, place: number): number {
    if (!FUNCTIONS.includes(name))
      throw new ExpressionFault(`there is no function ${name}: ${FUNCTIONS.join(', ')} are there`, place);
    let back = this.#sum();
    if (name === 'lag') return this.#lag(back);
    if (name === 'abs' || name === 'log') {
      this.operations.push({ op: name });
      return back;
    }
    this.#need(',');
    do {
      back = Math.max(back, this.#sum());
      this.operations.push({ op: name === 'min' ? 'min' : 'max' });
    } while (this.#take(','));
    return back;
  }

  #lag(inner: number): number {
    this.#need(',');
    const { kind, text, place } = this.#token;
    const steps = kind === 'number' ? Number(text) : NaN;
    if (!Number.isInteger(steps) || steps < 1)
      throw new ExpressionFault(`lag takes a whole number from 1, found ${told(this.#token)}`, place);
    if (inner + steps > LIMITS.look_back)
      throw new ExpressionFault(`lags go back at most ${LIMITS.look_back} steps`, place);
    this.#at++;
    this.operations.push({ op: 'lag', steps });
    return inner + steps;
  }
}
