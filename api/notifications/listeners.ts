import type { Fact } from '../../domain/fact.js';
import { Rejected } from '../../domain/rejected.js';

/** Streams of one token at a time, in one process. */
const MOST_OF_A_TOKEN = 20;
/** So long a reader may take to take what is there once its stream ends, ms. */
const LEFT_WITHIN = 1_000;

/** Facts by which somebody may lose a right. */
const RIGHTS: ReadonlySet<string> = new Set([
  ...['ApiTokenRevoked', 'ApiTokenReplaced', 'ApiTokenChanged', 'UserErased'],
  ...['MemberRemoved', 'MemberRoleChanged', 'GroupArchived', 'GroupChanged'],
]);
const TOLD: ReadonlySet<string> = new Set(['NotificationRaised', 'NotificationRepeated']);

/** One stream that is read: it waits here until there may be something to tell. */
export class Listener {
  ended = false;
  /** Whether its rights may have changed since it was let in. */
  inDoubt = false;
  /** Cuts it off, whatever it still had to tell. */
  cut: () => void = () => undefined;
  #woken = false;
  #wake: () => void = () => undefined;

  constructor(
    readonly uid: string,
    readonly tokenId: string,
  ) {}

  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Resolves when it was woken since it last waited, or when so many ms have passed. */
  async wait(withinMs: number): Promise<void> {
    if (!this.#woken && !this.ended)
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, withinMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#woken = false;
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.wake();
    setTimeout(() => this.cut(), LEFT_WITHIN).unref();
  }
}

/** All streams that are read in this process. */
export class Listeners {
  readonly #all = new Set<Listener>();
  #closed = false;

  get count(): number {
    return this.#all.size;
  }

  /** @throws Rejected 429 where the token has too many */
  open(uid: string, tokenId: string): Listener {
    let own = 0;
    for (const each of this.#all) if (each.tokenId === tokenId) own++;
    if (own >= MOST_OF_A_TOKEN) throw tooMany;
    const listener = new Listener(uid, tokenId);
    this.#all.add(listener);
    if (this.#closed) listener.end();
    return listener;
  }

  close(listener: Listener): void {
    this.#all.delete(listener);
    listener.ended = true;
    listener.wake();
  }

  /** Whether a page of facts concerns anybody's rights. */
  isAboutRights = (page: readonly Fact[]): boolean => page.some(({ type }) => RIGHTS.has(type));

  /** To be told when those who are asked for rights know of the page. */
  rightsChanged(): void {
    for (const each of this.#all) {
      each.inDoubt = true;
      each.wake();
    }
  }

  /** Who of those who listen is told of something in the page. */
  toldIn(page: readonly Fact[]): Listener[] {
    const uids = new Set<string>();
    for (const { type, data } of page) if (TOLD.has(type)) uids.add((data as { uid: string }).uid);
    return uids.size === 0 ? [] : [...this.#all].filter(({ uid }) => uids.has(uid));
  }

  /** The server stops: all end, and so does whoever comes later. */
  end(): void {
    this.#closed = true;
    for (const each of this.#all) each.end();
  }
}

const tooMany = new Rejected(
  'limited',
  'rate_limited',
  `A token may read at most ${MOST_OF_A_TOKEN} streams at a time`,
  { policy: 'streams', limit: MOST_OF_A_TOKEN, retry_after_s: 15 },
);
