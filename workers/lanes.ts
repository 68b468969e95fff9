/** Whose a delivery is, over which channel it goes, and to whom: a host, or our mail server. */
type Passing = {
  readonly _id: string;
  readonly uid: string;
  readonly channel_id: string;
  readonly lane: string;
};

/** So many at once: over one channel, to one target, of one user, and in all. */
const MOST = { channel: 2, lane: 8, uid: 16, all: 256 } as const;
/** At so many there is nothing left for those whose turn it is not. */
const CROWDED = MOST.all / 2;

/** What is on its way, counted so that nobody takes more than their share. */
export class Lanes {
  readonly #inside = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** Null: it is on its way already, or there is no room for it now. */
  enter({ _id, uid, channel_id, lane }: Passing): { readonly leave: () => void } | null {
    const counted = [
      [`channel ${channel_id}`, MOST.channel],
      [`lane ${lane}`, MOST.lane],
      [`uid ${uid}`, MOST.uid],
    ] as const;
    const isFull = counted.some(([name, most]) => this.#count(name) >= most);
    if (isFull || this.#inside.has(_id) || this.#inside.size >= MOST.all) return null;
    this.#inside.add(_id);
    for (const [name] of counted) this.#counts.set(name, this.#count(name) + 1);
    return {
      leave: () =>
        this.#leave(
          _id,
          counted.map(([name]) => name),
        ),
    };
  }

  /** How many are on their way over a channel, and how many more may be. */
  under = (channelId: string): number => this.#count(`channel ${channelId}`);
  room = (channelId: string): number =>
    this.#inside.size >= MOST.all ? 0 : MOST.channel - this.under(channelId);
  isCrowded = (): boolean => this.#inside.size >= CROWDED;

  #count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  #leave(id: string, names: readonly string[]): void {
    this.#inside.delete(id);
    for (const name of names) {
      const left = this.#count(name) - 1;
      if (left === 0) this.#counts.delete(name);
      else this.#counts.set(name, left);
    }
  }
}
