import type { Assumption, Window } from '../../domain/scenarios/assumptions.js';
import { iso, parseTime } from '../../domain/time.js';
import type { FromSchema } from '../../json-schema.js';
import { notValid, type Fault } from '../edge/errors.js';
import { NO_TIME } from '../edge/times.js';
import type { assumption } from './schemas.js';

type Given = FromSchema<typeof assumption>;
type Time = string | number;

/** @throws Rejected 422 naming the places of all faults */
export function assumptionsIn(given: readonly Given[]): Assumption[] {
  const faults: Fault[] = [];
  const read = given.map((one, index) => assumptionIn(one, index, faults));
  if (faults.length > 0) throw notValid(faults);
  return read;
}

/** What is wrong is added to `faults`; what is read is of use only where there are none. */
function assumptionIn(given: Given, index: number, faults: Fault[]): Assumption {
  const wrong = (name: string, msg: string, type: string, input?: unknown): void => {
    const loc = ['body', 'assumptions', index, name];
    faults.push({ loc, msg, type, ...(input !== undefined && { input }) });
  };
  const time = (name: string, value: Time): number => {
    const ms = parseTime(value);
    if (ms === null) wrong(name, NO_TIME, 'time', value);
    return ms ?? NaN;
  };
  const window = ({ from, to }: { readonly from?: Time; readonly to?: Time }): Window => {
    const read = {
      from: from === undefined ? null : time('from', from),
      to: to === undefined ? null : time('to', to),
    };
    if (read.from !== null && read.to !== null && read.from > read.to)
      wrong('from', 'must not be after `to`', 'range');
    return read;
  };
  switch (given.kind) {
    case 'signal_set': {
      const { kind, key, value, values } = given;
      if ((value === undefined) === (values === undefined))
        wrong('value', 'either value or values', 'ambiguous');
      return { kind, key, values: values ?? [value!], ...window(given) };
    }
    case 'signal_scale':
      return { kind: given.kind, key: given.key, factor: given.factor, ...window(given) };
    case 'signal_shift':
      return { kind: given.kind, key: given.key, add: given.add, ...window(given) };
    case 'event_add': {
      const { kind, stream, importance = null, impact = null, value = null, count = 1 } = given;
      const occurredAt = time('occurred_at', given.occurred_at);
      return { kind, stream, occurredAt, importance, impact, value, count };
    }
    case 'event_remove': {
      const { kind, event_id: eventId = null, stream = null } = given;
      if ((eventId === null) === (stream === null))
        wrong('event_id', 'either event_id or stream', 'ambiguous');
      return { kind, eventId, stream, ...window(given) };
    }
    case 'event_move': {
      const { kind, event_id: eventId } = given;
      return { kind, eventId, occurredAt: time('occurred_at', given.occurred_at) };
    }
    case 'edge_off':
      return { kind: given.kind, edgeId: given.edge_id };
  }
}

const windowView = ({ from, to }: Window) => ({
  from: from === null ? null : iso(from),
  to: to === null ? null : iso(to),
});

/** An assumption as the API shows it: times of events are epoch ms. */
export function assumptionView(assumption: Assumption): Record<string, unknown> {
  switch (assumption.kind) {
    case 'signal_set': {
      const { kind, key, values } = assumption;
      const set = values.length === 1 ? { value: values[0] } : { values };
      return { kind, key, ...set, ...windowView(assumption) };
    }
    case 'signal_scale':
      return {
        kind: assumption.kind,
        key: assumption.key,
        factor: assumption.factor,
        ...windowView(assumption),
      };
    case 'signal_shift':
      return { kind: assumption.kind, key: assumption.key, add: assumption.add, ...windowView(assumption) };
    case 'event_add': {
      const { kind, stream, occurredAt, importance, impact, value, count } = assumption;
      return { kind, stream, occurred_at: occurredAt, importance, impact, value, count };
    }
    case 'event_remove': {
      const { kind, eventId, stream } = assumption;
      return { kind, event_id: eventId, stream, ...windowView(assumption) };
    }
    case 'event_move':
      return { kind: assumption.kind, event_id: assumption.eventId, occurred_at: assumption.occurredAt };
    case 'edge_off':
      return { kind: assumption.kind, edge_id: assumption.edgeId };
  }
}
