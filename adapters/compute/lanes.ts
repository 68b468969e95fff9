/** A queue of lanes that take turns: what waits in one does not hold up the others. */
export class Lanes<T> {
  /**
   * In the order in which they were served last, or came. A lane is here as long as something waits in it.
   */
  readonly #lanes = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(lane: string): number {
    return this.#lanes.get(lane)?.length ?? 0;
  }

  add(lane: string, item: T): void {
    const items = this.#lanes.get(lane);
    if (items) items.push(item);
    else this.#lanes.set(lane, [item]);
    this.#size++;
  }

  /**
   * The oldest of the lane with the least at work; of several such lanes the one that was served longest ago.
   * What may not go now is passed over.
   */
  next(atWork: (lane: string) => number, may: (item: T) => boolean = () => true): T | undefined {
    let chosen: string | undefined;
    let least = Infinity;
    for (const [lane, items] of this.#lanes) {
      if (!items.some(may)) continue;
      const count = atWork(lane);
      if (count < least) [chosen, least] = [lane, count];
    }
    return chosen === undefined ? undefined : this.#serve(chosen, may);
  }

  remove(lane: string, item: T): void {
    const items = this.#lanes.get(lane);
    const at = items?.indexOf(item) ?? -1;
    if (!items || at === -1) return;
    items.splice(at, 1);
    if (items.length === 0) this.#lanes.delete(lane);
    this.#size--;
  }

  #serve(lane: string, may: (item: T) => boolean): T | undefined {
    const items = this.#lanes.get(lane) ?? [];
    const [item] = items.splice(items.findIndex(may), 1);
    this.#lanes.delete(lane);
    if (items.length > 0) this.#lanes.set(lane, items);
    this.#size--;
    return item;
  }
}
