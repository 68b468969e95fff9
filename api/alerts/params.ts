import type { AlertKind, Watched } from '../../domain/alerts/kinds.js';
import { notValid, type Fault } from '../edge/errors.js';

type Member =
  | {
      readonly type: 'number' | 'integer';
      readonly min?: number;
      readonly max?: number;
      readonly above?: true;
      readonly under?: true;
    }
  | { readonly type: 'text' }
  | { readonly type: 'word'; readonly among: readonly string[] };
/** `above`: `min` is too little; `under`: `max` is too much. `to`: the name inside. */
type Members = Readonly<Record<string, Member & { readonly to?: string }>>;

const value: Member = { type: 'number' };
const direction: Member = { type: 'word', among: ['above', 'below'] };
/** Between 0 and 1, neither included. */
const inside: Member = { type: 'number', min: 0, max: 1, above: true, under: true };
const share: Member = { type: 'number', min: 0, max: 1 };
const MOST_STEPS = 1_000;

/** What the kinds are asked with, all of it required. */
export const paramsOfKinds: Readonly<Record<AlertKind, Members>> = {
  threshold: { value, direction },
  forecast_threshold: {
    ...{ value, direction, probability: inside },
    within_steps: { type: 'integer', min: 1, max: MOST_STEPS, to: 'withinSteps' },
  },
  band_breach: { level: inside },
  anomaly: { level: inside },
  event: { stream: { type: 'text' }, min_importance: { ...share, to: 'minImportance' } },
  shock: {},
  drift: { worse_by: { type: 'number', min: 0, max: 1_000, to: 'worseBy' } },
  coverage: { below: inside },
  data_stale: { cadences: { type: 'number', min: 0, max: 1_000_000, above: true } },
  edge_weakening: {},
  budget: { share: { type: 'number', min: 0, max: 1, above: true } },
};

type Given = Readonly<Record<string, unknown>>;

/** What a kind is asked with. @throws Rejected 422 that names each member that is wrong */
export function watchedIn(kind: AlertKind, given: Given): Watched {
  const members = Object.entries(paramsOfKinds[kind]);
  const faults = members.flatMap(([name, member]): Fault[] => {
    const msg = wrongOf(member, given[name]);
    if (msg === null) return [];
    const type = given[name] === undefined ? 'missing' : 'value';
    return [{ loc: ['body', 'params', name], msg, type, ...(type !== 'missing' && { input: given[name] }) }];
  });
  if (faults.length > 0) throw notValid(faults);
  const params = Object.fromEntries(members.map(([name, { to = name }]) => [to, given[name]]));
  return { kind, params } as unknown as Watched;
}

/** As they are given. */
export const paramsView = ({ kind, params }: Watched): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(paramsOfKinds[kind]).map(([name, { to = name }]) => [name, (params as Given)[to]]),
  );

/** Members that no rule of the kind has. */
export const unknownIn = (kind: AlertKind, given: Given): string[] =>
  Object.keys(given)
    .filter(name => !(name in paramsOfKinds[kind]))
    .map(name => `params.${name}`);

const LONGEST_KEY = 256;

/** What is wrong with a member; null: nothing. */
function wrongOf(member: Member, given: unknown): string | null {
  if (given === undefined) return 'is required';
  if (member.type === 'text')
    return typeof given === 'string' && given !== '' && given.length <= LONGEST_KEY
      ? null
      : `must be a text of 1 to ${LONGEST_KEY} characters`;
  if (member.type === 'word')
    return member.among.includes(given as string) ? null : `must be one of ${member.among.join(', ')}`;
  const isWhole = member.type === 'integer';
  if (typeof given !== 'number' || !Number.isFinite(given) || (isWhole && !Number.isInteger(given)))
    return isWhole ? 'must be a whole number' : 'must be a number';
  const { min = -Infinity, max = Infinity, above = false, under = false } = member;
  if (given < min || (above && given === min)) return `must be ${above ? 'above' : 'at least'} ${min}`;
  if (given > max || (under && given === max)) return `must be ${under ? 'below' : 'at most'} ${max}`;
  return null;
}
