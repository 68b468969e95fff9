import type { Fact, Message } from '../../domain/fact.js';
import type { Leaf } from './leaves.js';
import type { CollectionSpec, Doc, Where } from './read-models.js';
import type { Tallies } from './tallies.js';
import type { Trees } from './trees.js';

/** Document types of a projection, by the short name of their collection. */
export type Docs = Readonly<Record<string, Doc>>;
export type Before<D extends Docs> = { readonly [N in keyof D]: D[N] | null };
/** What becomes of the documents a fact lands on: absent stays, null goes. */
export type After<D extends Docs> = { readonly [N in keyof D]?: D[N] | null };
/** Documents that go with the fact although it does not land on each: all of a collection that match. */
export type Sweeps<D extends Docs> = {
  readonly [N in keyof D]?: Where;
};

type Collection<E extends Message> = {
  readonly indexes: readonly (readonly string[])[];
  /** Holds personal data in the clear. */
  readonly personal?: true;
  /** The document of this collection on which a fact lands; null: on none. */
  readonly idOf: (fact: Fact<E>) => string | null;
};

/**
 * Read models as data, pure: on which documents a fact lands, and what they become. A projection owns its
 * collections alone and moves them together.
 *
 * Collections are listed, and written, in this order: what is derived from others first, what others derive
 * from last. Then a crash in the middle of a write leaves nothing that a repeat of the same facts cannot
 * mend, also on stores without transactions.
 */
export type Projection<D extends Docs = Docs, E extends Message = Message> = {
  readonly name: string;
  /**
   * Part of the collections' names: raise it with any change of what the documents hold, and they are built
   * anew.
   */
  readonly version: number;
  /**
   * Earlier versions whose documents the functions here, and the queries, take as they are: members may be
   * missing, those that are there mean the same. While this version is built for the first time, the latest
   * of them serves, and is kept up with the log. Without one nothing serves until this version is complete.
   */
  readonly carries?: readonly number[];
  readonly collections: { readonly [N in keyof D]: Collection<E> };
  readonly on: {
    readonly [T in E['type']]?: (before: Before<D>, fact: Fact<Extract<E, { type: T }>>) => After<D>;
  };
  readonly sweeps?: { readonly [T in E['type']]?: (fact: Fact<Extract<E, { type: T }>>) => Sweeps<D> };
  /** One of the collections whose documents are leaves of trees, written before all others. */
  readonly trees?: Trees<Leaf, E>;
  /** One of the collections that counts the documents of another one. */
  readonly tallies?: Tallies;
};

/** Erases the types of one projection so that many can stand in a list. */
export const projection = <D extends Docs, E extends Message>(typed: Projection<D, E>): Projection =>
  typed as unknown as Projection;

/** Name of a collection as stored; a rebuild fills one of the next generation beside the one that serves. */
export const collectionName = (p: Projection, collection: string, generation: number): string =>
  `${collection}_v${p.version}${generation === 0 ? '' : `_r${generation}`}`;

/** What a store must prepare for one generation of a projection. */
export const collectionsOf = (p: Projection, generation: number): CollectionSpec[] =>
  Object.entries(p.collections).map(([name, { indexes, personal }]) => ({
    name: collectionName(p, name, generation),
    indexes,
    ...(personal && { personal }),
  }));

export const checkpointName = (p: Projection, generation: number): string =>
  collectionName(p, p.name, generation);
