import type { Fact } from '../../../domain/fact.js';
import type { Affected, Cause } from '../../../domain/revisions/causes.js';
import type { RevisionCommand } from '../../../domain/revisions/commands.js';
import { revisions } from '../../../domain/revisions/decider.js';
import type { GoalRevised, RevisionFact } from '../../../domain/revisions/facts.js';
import type { KnownRevision, RevisionState } from '../../../domain/revisions/state.js';

export const of = { workspace: 'w', revisionId: 'rev_1' } as const;
export const MERGE_MS = 60_000;

export const cause = (position: number, over: Partial<Cause> = {}): Cause => ({
  ...{ kind: 'event_recorded', position, key: 'news', eventId: `evt_${position}` },
  ...{ from: 1_000, to: 1_000, recordedAt: position },
  ...over,
});
export const goal = (goalId: string, over: Partial<Affected> = {}): Affected => ({
  ...{ goalId, from: 1_000, to: 1_000, signals: [], streams: ['news'] },
  ...over,
});
export const note = (
  causes: readonly Cause[],
  goals: readonly Affected[] = [goal('goa_1')],
): RevisionCommand => ({
  type: 'NoteCauses',
  data: { ...of, number: 0, found: causes.map(each => ({ cause: each, goals })), mergeMs: MERGE_MS },
});
export const begin = (at: number): RevisionCommand => ({
  type: 'BeginRevision',
  data: { ...of, segments: [{ segmentId: 'seg_1', tableHash: 'a' }], at },
});
export const rebuilt: RevisionCommand = {
  type: 'NoteRebuilt',
  data: { ...of, segments: [{ segmentId: 'seg_1', tableHash: 'b', rows: 3 }] },
};
export const revised = (goalId: string, over: Partial<GoalRevised['data']> = {}): RevisionCommand => ({
  type: 'ReviseGoal',
  data: {
    ...{ ...of, goalId, from: 1_000, to: 1_000, rowsChanged: 3, scoreBefore: 1, scoreAfter: 1.2 },
    ...{ rescored: null, notScored: null, edgeChanges: [], tournamentId: null },
    ...over,
  },
});
export const apply: RevisionCommand = { type: 'ApplyRevision', data: of };
export const fail: RevisionCommand = {
  type: 'FailRevision',
  data: { ...of, code: 'segment_failed', message: 'no' },
};

/** A revision whose commands are decided one after the other. */
export class History {
  state: RevisionState = revisions.initialState;
  #revision = 0;

  does(command: RevisionCommand): readonly RevisionFact[] {
    const facts = revisions.decide(command, this.state);
    for (const fact of facts) {
      const revision = this.#revision++;
      const meta = { workspace: 'w', actor: 'a', request: null, correlation: 'c', causation: null };
      const stored = { ...fact, id: `f${revision}`, journal: 'j', revision, position: revision, at: 7, meta };
      this.state = revisions.evolve(this.state, stored as Fact<RevisionFact>);
    }
    return facts;
  }

  get known(): KnownRevision {
    if (this.state.status === 'none') throw new Error('there is none');
    return this.state;
  }
}
