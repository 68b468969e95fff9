import type { Fact } from '../fact.js';

/** `workspace:<id>`, `user:<uid>` or `goal:<id>`. */
export type Channel = `${'workspace' | 'user' | 'goal'}:${string}`;

/** What is told on the realtime gateway. `data`: the ids that a reader needs to look again, no secret. */
export type Frame = {
  /** As in `deployment.updated`. */
  readonly event: string;
  readonly channels: readonly Channel[];
  readonly data: Readonly<Record<string, unknown>>;
};

/** Types of facts, and what each tells: an area's own, one line each. Null: nothing this time. */
export type Frames = Readonly<Record<string, (fact: Fact<never>) => Frame | null>>;
