import { analystAnswers } from '../../domain/analyst/decider.js';
import type { AnalystAnswered } from '../../domain/analyst/facts.js';
import type { Context, Handle } from '../engine/handle.js';

export type AnalystCommands = ReturnType<typeof analystCommands>;

/** What is written of the analyst: the answers that were given. */
export const analystCommands = ({ handle }: { readonly handle: Handle }) => ({
  keep: (workspace: string, answer: AnalystAnswered['data'], context: Context) =>
    handle(analystAnswers, { type: 'KeepAnswer', data: { workspace, answer } }, { ...context, workspace }),
});
