import { fold } from '../../../domain/decider.js';
import type { AlertCommand, Verdict } from '../../../domain/alerts/commands.js';
import { alerts } from '../../../domain/alerts/decider.js';
import type { AlertFact } from '../../../domain/alerts/facts.js';
import type { AlertSettings } from '../../../domain/alerts/kinds.js';
import { stateOf, type AlertJournal, type LiveAlert } from '../../../domain/alerts/state.js';
import type { GoalFact } from '../../../domain/goals/facts.js';
import { Rejected } from '../../../domain/rejected.js';
import { stored } from '../../spec.js';

export const of = { workspace: 'w', alertId: 'alr_1' } as const;
/** A moment of November 2026, epoch ms. */
export const NOW = Date.UTC(2026, 10, 23, 12);

export const settings = (over: Partial<AlertSettings> = {}): AlertSettings => ({
  name: 'Many',
  watched: { kind: 'threshold', params: { value: 10, direction: 'above' } },
  ...{ forS: 0, severity: 'warning', channels: [], enabled: true, muteUntil: null, cooldownS: 600 },
  ...over,
});
export const evidence = { value: 11, message: 'much', at: null, forecastId: null, eventId: null };
const verdicts = {
  true: { holds: true, evidence },
  false: { holds: false, evidence },
  before: { holds: true, evidence: { ...evidence, at: NOW - 1 } },
  none: { lastAt: NOW - 3_600_000, within: 3_600_000, upSince: 0 },
  down: { lastAt: NOW - 3_600_000, within: 3_600_000, upSince: NOW + 3_600_000 },
  error: { code: 'not_found', message: 'There is no signal' },
} as const satisfies Readonly<Record<string, Verdict>>;
export type Says = keyof typeof verdicts;

/** What commands, given after each other, have led to; `at` goes on with `later`. */
export class Rule {
  at = NOW;
  journal: AlertJournal = alerts.initialState;
  #checks = 0;

  constructor(over: Partial<AlertSettings> = {}, goalId: string | null = null) {
    this.gives({ type: 'CreateAlert', data: { ...of, goalId, settings: settings(over), by: 'usr_1' } });
  }
  get live(): LiveAlert {
    if (this.journal.status === 'none') throw new Error('there is no rule');
    return this.journal;
  }
  get shown(): string {
    return stateOf(this.live, this.at);
  }
  get instanceId(): string {
    return this.live.instance!.instanceId;
  }
  later(seconds: number): this {
    this.at += seconds * 1_000;
    return this;
  }
  /** Types of the facts of a command. @throws Rejected */
  gives(command: AlertCommand): string[] {
    return this.takes(...alerts.decide(command, this.journal));
  }
  takes(...facts: readonly (AlertFact | GoalFact)[]): string[] {
    const now = facts.map(fact => ({ ...fact, at: this.at }));
    this.journal = fold(alerts, this.journal, stored(...now) as never);
    return facts.map(({ type }) => type);
  }
  /** Checks after each other; the same `key` is the same check. */
  checks(...said: readonly (Says | { readonly says: Says; readonly key: string })[]): string[] {
    const checks = said.map(each => {
      const { says, key } = typeof each === 'string' ? { says: each, key: `c${++this.#checks}` } : each;
      return { key, instanceId: `ain_${key}`, verdict: verdicts[says] };
    });
    return this.gives({ type: 'CheckAlert', data: { ...of, at: this.at, position: null, checks } });
  }
  /** A check of the fact at a position. */
  looks(position: number, says: Says): string[] {
    const key = `p${position}`;
    const checks = [{ key, instanceId: `ain_${key}`, verdict: verdicts[says] }];
    return this.gives({ type: 'CheckAlert', data: { ...of, at: this.at, position, checks } });
  }
  changes(over: Partial<AlertSettings>, seen: number | null = null): string[] {
    return this.gives({
      type: 'ChangeAlert',
      data: { ...of, seen, settings: { ...this.live.settings, ...over } },
    });
  }
  says(type: 'AcknowledgeAlert' | 'ResolveAlert', instanceId = this.instanceId): string[] {
    return this.gives({ type, data: { ...of, instanceId, by: 'usr_2' } });
  }
  snoozes(seconds: number): string[] {
    const until = this.at + seconds * 1_000;
    const data = { ...of, instanceId: this.instanceId, by: 'usr_2', until };
    return this.gives({ type: 'SnoozeAlert', data });
  }
  /** The code by which something is refused; `taken`: it is not. */
  refusal(does: () => unknown): string {
    try {
      does();
      return 'taken';
    } catch (error) {
      if (error instanceof Rejected) return error.code;
      throw error;
    }
  }
}
