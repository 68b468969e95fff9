import type { Fact } from '../../domain/fact.js';
import { masked } from '../../projections/channels/targets.js';

type Hiding = Readonly<Record<string, (value: string) => string>>;
const stars = (): string => '***';
/** Members of what is personal in a fact that nobody is shown who reads facts. */
const hiding: Hiding = {
  secret: stars,
  code: stars,
  target: value => masked(/^[a-z]+:\/\//i.test(value) ? 'webhook' : 'email', value),
};

/** Of a source, whose connector says where secrets are: the fact holds it beside, with stars. */
const hiddenWhole: ReadonlySet<string> = new Set(['config']);

const shownMember = (name: string, value: unknown): unknown =>
  typeof value === 'string' ? (hiding[name]?.(value) ?? value) : value;

/**
 * A fact as operators see it: secrets and codes were shown once, to whom they belong, and where messages go
 * is shown as its owner sees it. Everything else is as it is stored.
 */
export function shown(fact: Fact): Fact {
  const { data } = fact;
  if (typeof data !== 'object' || data === null || !('personal' in data)) return fact;
  const { personal } = data;
  if (typeof personal !== 'object' || personal === null) return fact;
  const members = Object.entries(personal).map(([name, value]: [string, unknown]) => [
    name,
    hiddenWhole.has(name) ? stars() : shownMember(name, value),
  ]);
  return { ...fact, data: { ...data, personal: Object.fromEntries(members) as object } };
}
