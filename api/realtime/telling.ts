import type { Log } from '../../commands/ports/log.js';
import type { Fact } from '../../domain/fact.js';
import type { Channel, Frames, Gathered, Tells } from '../../domain/realtime/frame.js';
import type { Event, Hub } from './hub.js';

/** What an area tells; `shown` resolves when its read models hold the fact at a position. */
export type Teller = { readonly of: Frames; readonly shown: (position: number) => Promise<void> };
type Telling = { readonly hub: Hub; readonly tellers: readonly Teller[]; readonly log: Log };
type Heard = {
  readonly fact: Fact<never>;
  readonly tells: Tells;
  readonly teller: Teller;
  readonly channels: readonly Channel[];
};

type Data = Pick<Event, 'data' | 'limited'>;

/** So many facts are waited for together: the first of a long page need not wait for its last. */
const AT_ONCE = 20;
/** Frames that are gathered are told so often. */
export const GATHERED_MS = 1_000;

/** Tells facts to those who listen, once they can read what the facts made. */
export function telling({ hub, tellers, log }: Telling) {
  const byType = new Map(
    tellers.flatMap(teller => Object.keys(teller.of).map(type => [type, teller] as const)),
  );
  const gathering = gatherings(hub);

  /** What is told of a fact where somebody listens. */
  const heard = async (fact: Fact): Promise<Heard[]> => {
    const teller = byType.get(fact.type);
    const all = teller ? [teller.of[fact.type]!].flat() : [];
    const found: Heard[] = [];
    for (const tells of all) {
      const channels = (await tells.channels(fact as Fact<never>)).filter(hub.isListenedTo);
      if (channels.length > 0) found.push({ fact: fact as Fact<never>, tells, teller: teller!, channels });
    }
    return found;
  };
  /** Null: nothing is told; undefined: it could not be looked up. */
  const dataOf = async ({ fact, tells }: Heard): Promise<Data | null | undefined> => {
    try {
      const data = await tells.data(fact);
      if (data === null) return null;
      return { data, limited: tells.limited ? { ...data, ...(await tells.limited(fact)) } : data };
    } catch (err) {
      log.warn({ err, type: (fact as Fact).type }, 'what was to be told could not be looked up');
      return undefined;
    }
  };
  const tell = ({ fact, tells, channels }: Heard, data: Data | null | undefined): void => {
    if (data === undefined) channels.forEach(hub.missed);
    if (!data) return;
    const { meta, at } = fact as Fact;
    for (const channel of channels) {
      const { event: name, guarded = false } = tells;
      const event = { event: name, channel, workspace: meta.workspace, guarded, ...data, at };
      if (tells.gathered) gathering.add(event, tells.gathered);
      else hub.publish(event);
    }
  };

  return {
    async took(page: readonly Fact[]): Promise<void> {
      if (hub.isQuiet()) return;
      const found = (await Promise.all(page.map(heard))).flat();
      for (let from = 0; from < found.length; from += AT_ONCE) {
        const some = found.slice(from, from + AT_ONCE);
        const last = (some.at(-1)!.fact as Fact).position;
        await Promise.all([...new Set(some.map(({ teller }) => teller))].map(({ shown }) => shown(last)));
        const data = await Promise.all(some.map(dataOf));
        some.forEach((each, i) => tell(each, data[i]));
      }
    },
    stop: gathering.stop,
  };
}

/** The first of its kind on a channel is told at once, what comes within a second after it together. */
function gatherings(hub: Hub) {
  type Open = { readonly timer: NodeJS.Timeout; gathered: Gathered | null; last: Event };
  const open = new Map<string, Open>();
  const publish = (event: Event, gathered: Gathered): void => {
    for (const data of gathered.frames()) hub.publish({ ...event, data, limited: data });
  };
  const beat = (name: string): void => {
    const current = open.get(name)!;
    if (current.gathered) publish(current.last, current.gathered);
    else {
      clearInterval(current.timer);
      open.delete(name);
    }
    current.gathered = null;
  };
  return {
    add(event: Event, start: () => Gathered): void {
      const name = `${event.event} ${event.channel}`;
      const current = open.get(name);
      if (!current) {
        const timer = setInterval(beat, GATHERED_MS, name);
        open.set(name, { timer, gathered: null, last: event });
        const alone = start();
        alone.add(event.data);
        publish(event, alone);
        return;
      }
      current.gathered ??= start();
      current.gathered.add(event.data);
      current.last = event;
    },
    stop(): void {
      for (const { timer } of open.values()) clearInterval(timer);
      open.clear();
    },
  };
}
