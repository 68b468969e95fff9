import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';

export const EFFECT_ACTIONS = ['shock', 'feature_refresh', 'history_revision', 'none'] as const;
export type EffectAction = (typeof EFFECT_ACTIONS)[number];

/** What an event that happened did to a goal that its stream drives. */
export type EventTookEffect = Message<
  'EventTookEffect',
  {
    readonly eventId: string;
    readonly goalId: string;
    readonly edgeId: string;
    /** Epoch ms: one that is moved may act again. */
    readonly occurredAt: number;
    readonly action: EffectAction;
    /** Why, in a sentence. */
    readonly reason: string;
  }
>;
/** Keeps what an event did to a goal; each time that it happens, once. */
export type NoteEffect = Message<
  'NoteEffect',
  { readonly workspace: string; readonly effect: EventTookEffect['data'] }
>;

type Effect = Pick<EventTookEffect['data'], 'goalId' | 'occurredAt'>;
const keyOf = ({ goalId, occurredAt }: Effect): string => `${goalId}@${occurredAt}`;

/** Journal `event_effect-<workspace>.<event_id>`. */
export const eventEffects: Decider<NoteEffect, EventTookEffect, readonly string[]> = {
  category: 'event_effect',
  idOf: ({ data: { workspace, effect } }) => `${workspace}.${effect.eventId}`,
  initialState: [],
  decide: ({ data: { effect } }, known) =>
    known.includes(keyOf(effect)) ? [] : [{ type: 'EventTookEffect', data: effect }],
  evolve: (known, { data }) => [...known, keyOf(data)],
};
