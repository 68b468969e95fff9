type Entry<V> = readonly [key: string, value: V];
/** Either some entries, or the parts that more of them are spread over by their hashes. */
type Node<V> =
  | { readonly entries: readonly Entry<V>[]; readonly parts: null }
  | { readonly entries: null; readonly parts: readonly Node<V>[] };

const BITS = 3;
const PARTS = 2 ** BITS;
/** So many entries are looked through; more are spread. */
const LOOKED_THROUGH = 16;
/** A hash has no more bits than that. */
const DEEPEST = 30;

/**
 * A map that never changes: one with a member more shares nearly all with the one before, and costs the same
 * however many members there are (a hash trie: Bagwell, Ideal Hash Trees, 2001).
 */
export class PersistentMap<V> {
  static readonly #empty = new PersistentMap<never>({ entries: [], parts: null }, 0);
  static empty<V>(): PersistentMap<V> {
    return PersistentMap.#empty;
  }

  readonly #root: Node<V>;
  readonly size: number;

  private constructor(root: Node<V>, size: number) {
    this.#root = root;
    this.size = size;
  }

  get(key: string): V | undefined {
    let [node, hash] = [this.#root, hashOf(key)];
    for (; node.parts; hash >>>= BITS) node = node.parts[hash % PARTS]!;
    return node.entries.find(([other]) => other === key)?.[1];
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** In no order that anybody should go by. */
  entries(): readonly Entry<V>[] {
    return entriesOf(this.#root);
  }

  with(key: string, value: V): PersistentMap<V> {
    const isNew = !this.has(key);
    return new PersistentMap(put(this.#root, [key, value], hashOf(key), 0), this.size + Number(isNew));
  }

  without(key: string): PersistentMap<V> {
    if (!this.has(key)) return this;
    return new PersistentMap(taken(this.#root, key, hashOf(key)), this.size - 1);
  }
}

const entriesOf = <V>({ entries, parts }: Node<V>): readonly Entry<V>[] =>
  entries ?? parts.flatMap(entriesOf);

/** `hash`: what is left of the entry's, as deep in bits as the node lies. */
function put<V>(node: Node<V>, entry: Entry<V>, hash: number, depth: number): Node<V> {
  if (node.parts) {
    const part = hash % PARTS;
    return {
      entries: null,
      parts: node.parts.with(part, put(node.parts[part]!, entry, hash >>> BITS, depth + BITS)),
    };
  }
  const at = node.entries.findIndex(([key]) => key === entry[0]);
  if (at >= 0) return { entries: node.entries.with(at, entry), parts: null };
  const entries = [...node.entries, entry];
  return entries.length <= LOOKED_THROUGH || depth >= DEEPEST
    ? { entries, parts: null }
    : spread(entries, depth);
}

function taken<V>(node: Node<V>, key: string, hash: number): Node<V> {
  if (!node.parts) return { entries: node.entries.filter(([other]) => other !== key), parts: null };
  const part = hash % PARTS;
  const parts = node.parts.with(part, taken(node.parts[part]!, key, hash >>> BITS));
  // What is empty again is looked through again
  return parts.every(({ entries }) => entries?.length === 0)
    ? { entries: [], parts: null }
    : { entries: null, parts };
}

function spread<V>(entries: readonly Entry<V>[], depth: number): Node<V> {
  const parts = Array.from({ length: PARTS }, (): Entry<V>[] => []);
  for (const entry of entries) parts[(hashOf(entry[0]) >>> depth) % PARTS]!.push(entry);
  return { entries: null, parts: parts.map(part => ({ entries: part, parts: null })) };
}

/** FNV-1a, 32 bits, over UTF-16 code units. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
