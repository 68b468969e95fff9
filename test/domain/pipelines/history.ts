import { fold } from '../../../domain/decider.js';
import type { PipelineCommand } from '../../../domain/pipelines/commands.js';
import { pipelines } from '../../../domain/pipelines/decider.js';
import type { PipelineFact } from '../../../domain/pipelines/facts.js';
import type { PipelineState } from '../../../domain/pipelines/state.js';
import { stored } from '../../spec.js';
import { NOW } from './given.js';

/** What commands, given after each other, have led to. */
export class History {
  readonly facts: (PipelineFact & { readonly at: number })[] = [];
  at = NOW;
  state: PipelineState = pipelines.initialState;

  get live() {
    const { state } = this;
    if (state.status !== 'live') throw new Error('there is no pipeline');
    return state;
  }
  /** The facts of a command, oldest first. @throws Rejected */
  does(command: PipelineCommand): readonly PipelineFact[] {
    const decided = pipelines.decide(command, this.state);
    const now = decided.map(fact => ({ ...fact, at: this.at }));
    this.facts.push(...now);
    this.state = fold(pipelines, this.state, stored(...now));
    return decided;
  }
  /** Types of the facts of several commands. */
  all(...commands: readonly PipelineCommand[]): string[] {
    return commands.flatMap(command => this.does(command).map(({ type }) => type));
  }
}
