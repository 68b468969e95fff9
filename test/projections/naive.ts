import type { Details } from '../../domain/events/facts.js';

// What events should be, as plainly as it can be said: no facts, no journals, no documents. The property
// tests hold the whole way of a fact against this.

export type NaiveEvent = {
  id: string;
  key: string;
  text: string;
  occurredAt: number;
  recordedAt: number;
  details: Details;
  submitted: Details;
  status: 'pending' | 'scored';
  rank: number | null;
  novelty: number | null;
  history: number;
  fired: number | null;
  due: boolean;
};
type Numeric = (text: string) => boolean;

export class NaiveWorkspace {
  readonly events = new Map<string, NaiveEvent>();
  /** By an id: the events that moved to where this id says, in that order. */
  readonly movedTo = new Map<string, readonly string[]>();
  constructor(
    readonly numeric: Numeric,
    readonly rankOf: (text: string) => number,
  ) {}

  /** The event that it was taken for. */
  record(id: string, key: string, text: string, occurredAt: number, given: Details, now: number): NaiveEvent {
    const details = this.numeric(text) ? { value: Number(text), ...given } : given;
    const moved = (this.movedTo.get(id) ?? []).map(each => this.events.get(each));
    const there = this.events.get(id) ?? moved.find(each => each?.occurredAt === occurredAt);
    const fresh = {
      id,
      key,
      text,
      occurredAt,
      recordedAt: now,
      history: 0,
      fired: null,
      due: occurredAt > now,
    };
    if (!there) {
      const event = { ...fresh, details, submitted: details, ...this.#unscored(text) };
      this.events.set(id, event);
      return event;
    }
    const members = (['name', 'source', 'value', 'raw'] as const).filter(
      member =>
        !alike(details[member], there.submitted[member]) && !alike(details[member], there.details[member]),
    );
    if (members.length > 0) {
      there.history++;
      const news = Object.fromEntries(members.map(member => [member, details[member] ?? null]));
      there.details = held({ ...there.details, ...news });
    }
    there.submitted = held(details);
    return Object.assign(there, this.#unscored(text));
  }

  /** `place`: the id of what is recorded where it moves to. */
  revise(
    id: string,
    place: string,
    changes: { name?: string | null; value?: number | null; occurredAt?: number },
    now: number,
  ): boolean {
    const event = this.events.get(id);
    if (!event) return false;
    const { occurredAt = event.occurredAt, ...rest } = changes;
    const before = this.movedTo.get(place) ?? [];
    if (place !== id && !before.includes(id)) this.movedTo.set(place, [...before, id]);
    const details = held({ ...event.details, ...rest });
    const revalued = details['value'] !== event.details.value;
    if (
      JSON.stringify(sorted(details)) === JSON.stringify(sorted(event.details))
      && occurredAt === event.occurredAt
    )
      return true;
    event.history++;
    event.details = details;
    if (occurredAt !== event.occurredAt) this.#move(event, occurredAt, now);
    if (revalued) Object.assign(event, this.#unscored(event.text));
    return true;
  }

  withdraw(id: string): boolean {
    return this.events.delete(id);
  }

  deleteStream(key: string): number {
    const gone = [...this.events.values()].filter(event => event.key === key);
    for (const { id } of gone) this.events.delete(id);
    return gone.length;
  }

  scoreAll(): void {
    for (const event of this.events.values()) {
      if (event.status !== 'pending') continue;
      Object.assign(event, {
        status: 'scored',
        rank: this.rankOf(event.text),
        novelty: this.#novelty(event),
      });
    }
  }

  comeDue(now: number): void {
    for (const event of this.events.values())
      if (event.due && event.occurredAt <= now) Object.assign(event, { due: false, fired: now });
  }

  #unscored(text: string): { status: 'pending' | 'scored'; rank: number | null; novelty: null } {
    return this.numeric(text)
      ? { status: 'scored', rank: 0, novelty: null }
      : { status: 'pending', rank: null, novelty: null };
  }

  /** Events stand in the order in which they were recorded. */
  #novelty({ id, key, text, occurredAt }: NaiveEvent): number {
    const all = [...this.events.values()];
    const earlier = all
      .slice(
        0,
        all.findIndex(event => event.id === id),
      )
      .filter(
        event =>
          event.key === key
          && event.occurredAt <= occurredAt
          && event.occurredAt >= occurredAt - 7 * 86_400_000,
      );
    const earlierTexts = earlier.map(event => ` ${wordsOf(event.text).join(' ')} `);
    const pairs = [...new Set(pairsOf(text))];
    const unseen = pairs.filter(pair => !earlierTexts.some(words => words.includes(` ${pair} `)));
    return Math.round((1e4 * unseen.length) / pairs.length) / 1e4;
  }

  #move(event: NaiveEvent, occurredAt: number, now: number): void {
    event.occurredAt = occurredAt;
    event.due = occurredAt > now;
    if (event.due) event.fired = null;
  }
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+|\d+/gu)!;
const pairsOf = (text: string): string[] => {
  const words = wordsOf(text);
  return words.length === 1 ? words : words.slice(1).map((word, i) => `${words[i]} ${word}`);
};
const alike = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
const held = (members: object): Details =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
const sorted = (details: object) => Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1));
