import type { Fact } from '../fact.js';

/** `workspace:<id>`, `user:<uid>` or `goal:<id>`. */
export type Channel = `${'workspace' | 'user' | 'goal'}:${string}`;

/** The ids that a reader needs to look again, and no secret. */
export type FrameData = Readonly<Record<string, unknown>>;

/** What the realtime gateway tells of a fact. What has to be looked up comes as a promise. */
export type Tells = {
  /** As in `deployment.updated`. */
  readonly event: string;
  /** []: nothing is told this time. */
  readonly channels: (fact: Fact<never>) => readonly Channel[] | Promise<readonly Channel[]>;
  /**
   * Asked for only where somebody listens, and when this process's read models hold the fact; null: nothing
   * is told.
   */
  readonly data: (fact: Fact<never>) => FrameData | null | Promise<FrameData | null>;
  /** What is other in `data` for tokens that are limited to some workspaces; absent: nothing. */
  readonly limited?: (fact: Fact<never>) => Promise<FrameData>;
  /**
   * Told once a second on each channel, `data` of what came meanwhile together; absent: each by itself, at
   * once.
   */
  readonly gathered?: () => Gathered;
  /** On channels of workspaces admins and owners alone hear it; absent: all who listen. */
  readonly guarded?: true;
};

/** What came within a second, made into as few frames as it takes. */
export type Gathered = {
  add(data: FrameData): void;
  frames(): readonly FrameData[];
};

/** Types of facts, and what is told of each: an area's own, one line each. */
export type Frames = Readonly<Record<string, Tells | readonly Tells[]>>;

/** Everybody who listens to the fact's workspace. */
export const inWorkspace = ({ meta }: Fact): readonly Channel[] =>
  meta.workspace === null ? [] : [`workspace:${meta.workspace}`];
