import { isReserved, PREFIXES } from '../aliases.js';
import type { Decider } from '../decider.js';
import { Rejected } from '../rejected.js';
import type { StreamCommand } from './commands.js';
import type { StreamFact } from './facts.js';

/** Keys of streams that another workspace publishes; read-only here. */
export const SUBSCRIBED = PREFIXES.stream;

/** Names that no path can hold: what follows links takes them for this place and the one above. */
export const PATHLESS: readonly string[] = ['.', '..'];
export const PATHLESS_RULE = "must not be '.' or '..', which no path can hold";

/** Subscribed streams are the publisher's: nothing is recorded to them or deleted from them here. */
export function ownStream(key: string): void {
  if (key.startsWith(SUBSCRIBED))
    throw new Rejected(
      'forbidden',
      'stream_read_only',
      `Event stream '${key}' is a subscribed one and read-only`,
    );
}

/** Events go to no key that is reserved, also not to one of signals; older streams of such a name can go. */
export function recordable(key: string): void {
  ownStream(key);
  if (isReserved(key))
    throw new Rejected(
      'forbidden',
      'stream_read_only',
      `Event stream '${key}' has a reserved name and is read-only`,
    );
}

/**
 * What a person says of a stream. Its events have journals of their own; whether there are any is not known
 * here.
 */
export type StreamState = { readonly group: string | null; readonly name: string | null };

const initialState: StreamState = { group: null, name: null };

function decide({ type, data }: StreamCommand, state: StreamState): readonly StreamFact[] {
  const { key } = data;
  ownStream(key);
  switch (type) {
    case 'DeleteStream':
      return [{ type: 'StreamDeleted', data: { key } }];
    case 'AssignStreamGroup':
      return state.group === data.group
        ? []
        : [{ type: 'StreamGroupAssigned', data: { key, group: data.group } }];
    case 'NameStream':
      return state.name === data.name ? [] : [{ type: 'StreamNamed', data: { key, name: data.name } }];
  }
}

/**
 * Each deletion closes one life of a stream, with what was said of it; the next event recorded opens another.
 */
export const streams: Decider<StreamCommand, StreamFact, StreamState> = {
  category: 'stream',
  idOf: ({ data }) => `${data.workspace}.${data.key}`,
  initialState,
  decide,
  evolve(state, fact) {
    switch (fact.type) {
      case 'StreamDeleted':
        return initialState;
      case 'StreamGroupAssigned':
        return { ...state, group: fact.data.group };
      case 'StreamNamed':
        return { ...state, name: fact.data.name };
    }
  },
};
