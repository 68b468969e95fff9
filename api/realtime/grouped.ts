/** Members by a key: those under one are found without a look at the others. */
export class Grouped<K, V> {
  readonly #groups = new Map<K, Set<V>>();

  get size(): number {
    return this.#groups.size;
  }

  of(key: K): ReadonlySet<V> {
    return this.#groups.get(key) ?? NOBODY;
  }

  has(key: K): boolean {
    return this.#groups.has(key);
  }

  add(key: K, member: V): void {
    const group = this.#groups.get(key);
    if (group) group.add(member);
    else this.#groups.set(key, new Set([member]));
  }

  delete(key: K, member: V): void {
    const group = this.#groups.get(key);
    if (group?.delete(member) && group.size === 0) this.#groups.delete(key);
  }
}

const NOBODY: ReadonlySet<never> = new Set();
