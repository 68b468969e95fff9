/** One line of an examination; `todo`: what to do about it. */
export type Finding = {
  readonly part: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly todo?: string;
};

export const ok = (part: string, text: string): Finding => ({ part, state: 'ok', text });
export const warning = (part: string, text: string, todo: string): Finding => ({
  part,
  state: 'warning',
  text,
  todo,
});
export const problem = (part: string, text: string, todo: string): Finding => ({
  part,
  state: 'problem',
  text,
  todo,
});
