/**
 * The port to read models: JSON documents in collections, each collection written by one projection alone.
 * Every adapter passes `test/contract/read-models.ts`.
 */
export type Scalar = string | number | boolean | null;
export type Doc = { readonly _id: string };
/** A document as stored: `_at` is the position of the last fact it took. */
export type Stored<D extends Doc = Doc> = D & { readonly _at: number };

/**
 * Equality with a scalar (null: null or absent), or bounds that must all hold (null and absence lie outside
 * of any). Fields are top-level members of the document, `_id`, or `_at`; the values of one field are all
 * text, or all numbers, or all booleans, beside null and absence.
 */
export type Condition =
  | Scalar
  | {
      readonly gt?: string | number;
      readonly gte?: string | number;
      readonly lt?: string | number;
      readonly lte?: string | number;
      readonly in?: readonly (string | number)[];
      readonly prefix?: string;
    };
export type Where = { readonly [field: string]: Condition };

export type Query = {
  readonly where: Where;
  /**
   * Fields to order by, most significant first, all in one direction. Text orders by code point. Ends with
   * `_id` for a total order.
   */
  readonly sort?: { readonly by: readonly string[]; readonly descending?: boolean };
  /**
   * Start strictly behind this place in the order: one value for each field of `sort.by`, which no document
   * may lack then.
   */
  readonly after?: readonly (string | number)[];
  readonly limit?: number;
  readonly offset?: number;
  /** Only these top-level members come back (besides `_id`); a member that a document lacks is absent. */
  readonly fields?: readonly string[];
};

/** What a page of facts makes of the documents of one projection. */
export type Commit = {
  /** Whose checkpoint moves, and to where. */
  readonly projection: string;
  readonly checkpoint: number;
  /**
   * The writer's fencing number, where several processes share the store: a page is refused with `Overtaken`,
   * its sweeps and its checkpoint too, when a higher one has written to this projection or has claimed it.
   */
  readonly fence?: number | undefined;
  /** Written in this order; the checkpoint last (or all in one transaction where the store has it). */
  readonly changes: readonly {
    readonly collection: string;
    readonly put: readonly Stored[];
    readonly remove: readonly string[];
  }[];
  /**
   * After the changes: every document of the collection that matches and whose `_at` is below `before` goes.
   */
  readonly sweeps: readonly { readonly collection: string; readonly where: Where; readonly before: number }[];
};

/** Another process, with a higher fencing number, writes this projection now. */
export class Overtaken extends Error {
  constructor(
    readonly projection: string,
    readonly fence: number,
  ) {
    super(`${projection} is written by another process: a higher fencing number than ${fence} was seen`);
  }
}

export type CollectionSpec = {
  readonly name: string;
  readonly indexes: readonly (readonly string[])[];
  /** Holds personal data in the clear. */
  readonly personal?: true;
};

export type ReadModels = {
  /** Makes collections and their indexes where they are missing; says nothing about what is there already. */
  prepare(collections: readonly CollectionSpec[]): Promise<void>;
  /**
   * Position up to which the documents of a projection stand; START when it has none yet. With a `fence` it
   * claims the projection for the writer with that number: from then on every lower one is refused, so that
   * nobody moves what was read here. `Overtaken` when a higher one is there.
   */
  checkpoint(projection: string, fence?: number): Promise<number>;
  /**
   * The documents with these ids; missing ones are absent. They may be shared with other readers: never
   * change one.
   */
  load<D extends Doc>(collection: string, ids: readonly string[]): Promise<Map<string, Stored<D>>>;
  /** Writes a page; a reader of this process sees it as soon as this resolves. */
  commit(page: Commit): Promise<void>;
  /** Like those of `load`, documents may be shared with other readers. */
  find<D extends Doc>(collection: string, query: Query): Promise<Stored<D>[]>;
  count(collection: string, where: Where): Promise<number>;
  /** Names of all collections that exist. */
  collections(): Promise<string[]>;
  /** Removes collections and the checkpoint of a projection. */
  drop(collections: readonly string[], projection: string | null): Promise<void>;
  /** Everything committed becomes durable, then files and connections are let go. */
  close(): Promise<void>;
};
