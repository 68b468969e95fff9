import { fold } from '../../../domain/decider.js';
import type { ShockCommand } from '../../../domain/shocks/commands.js';
import { shocks } from '../../../domain/shocks/decider.js';
import type { Cause, GradedStep, ShockFact } from '../../../domain/shocks/facts.js';
import type { Response } from '../../../domain/maths/effects/applied.js';
import type { ShockState } from '../../../domain/shocks/state.js';
import { HOUR } from '../../../domain/time.js';
import { stored } from '../../spec.js';

export const of = { workspace: 'w', goalId: 'goa_1' } as const;
/** A moment of November 2026, epoch ms. */
export const NOW = Date.UTC(2026, 10, 23, 12);

/** Rises to its peak of 10 in two hours, and falls to a half every four. */
export const CURVE: Response = {
  stepS: 3_600,
  offsets: Array.from({ length: 24 }, (_, h) => h * 3_600),
  effects: Array.from({ length: 24 }, (_, h) => (h < 2 ? 5 * h : 10 * 2 ** (-(h - 2) / 4))),
};

export const cause = (over: Partial<Cause> = {}): Cause => ({
  ...{ eventId: 'evt_1', stream: 'news', edgeId: 'edg_1', importance: 0.9, occurredAt: NOW, weight: 1 },
  ...{ response: null, halfLifeS: 4 * 3_600 },
  ...over,
});
export const qualify = (over: Partial<Cause> = {}, now = NOW): ShockCommand => ({
  type: 'NoteQualifying',
  data: { ...of, now, episodeId: 'shk_1', cause: cause(over), bar: 0.6, scheduled: false },
});
export const time = (hours: number): ShockCommand => ({
  type: 'NoteTime',
  data: { ...of, now: NOW + hours * HOUR },
});
export const remove = (eventId: string, hours = 0): ShockCommand => ({
  type: 'RemoveCause',
  data: { ...of, eventId, gone: 'edge', now: NOW + hours * HOUR },
});
export const exit = (hours = 0): ShockCommand => ({
  type: 'ExitShock',
  data: { ...of, reason: 'false alarm', now: NOW + hours * HOUR },
});

/** A step whose actual was 100: the champion missed by one figure, what was served by another. */
export const step = (h: number, champion: number, blend: number, inside = true): GradedStep => ({
  ...{ time: NOW + h * HOUR, actual: 100, forecastIds: ['fct_1'] },
  losses: [{ champion, generalist: 20, response: 1, blend }],
  newest: { champion: 100 + champion, generalist: 120, response: 101, remaining: 1 },
  ...{ insideNormal: inside, insideWidened: inside },
});
export const grade = (...steps: readonly GradedStep[]): ShockCommand => ({
  type: 'NoteGraded',
  data: { ...of, episodeId: 'shk_1', now: NOW, steps },
});

/** What commands, given after each other, have led to; a fact is written when its command was given. */
export class History {
  state: ShockState = shocks.initialState;
  readonly facts: ShockFact[] = [];

  /** The types of the facts of commands. @throws Rejected */
  does(...commands: readonly ShockCommand[]): string[] {
    return commands.flatMap(command => {
      const decided = shocks.decide(command, this.state);
      const now = decided.map(fact => ({ ...fact, at: command.data.now }));
      this.facts.push(...decided);
      this.state = fold(shocks, this.state, stored(...now));
      return decided.map(({ type }) => type);
    });
  }
  /** Facts that stand there, whatever is decided now; all of them at `NOW`. */
  holds(...facts: readonly ShockFact[]): void {
    const then = facts.map(fact => ({ ...fact, at: NOW }));
    this.state = fold(shocks, this.state, stored(...then));
  }
  get episode() {
    return this.state.episode;
  }
}
