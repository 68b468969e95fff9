import { withoutWords } from '../../domain/events/scoring.js';
import type { Condition, Doc, Query, Stored, Where } from '../engine/read-models.js';
import type { Reader } from '../engine/reader.js';

/** Streams of a publisher that a workspace subscribes to. `aliases`: by their keys where they lie. */
export type Offer = {
  readonly subscriber: string;
  readonly publisher: string;
  readonly aliases: ReadonlyMap<string, string>;
};

/** Members of documents of events that say where they lie, or by whose words they were scored. */
type Members = {
  readonly _id?: string;
  readonly workspace?: string;
  readonly key?: string;
  readonly source?: string;
  readonly given?: { readonly source?: string };
  readonly score_version?: string | null;
  readonly before?: Members;
};

/** No stream is called so. */
const NONE = '';

/**
 * Documents of the event streams of an offer, as if they lay with the subscriber: they are asked for under
 * its workspace and the aliases, and answer so. What is in no stream of the offer is not there.
 */
export function seenDocuments(read: Reader, { subscriber, publisher, aliases }: Offer): Reader {
  const keys = new Map([...aliases].map(([key, alias]) => [alias, key]));
  const keyOf = (alias: string): string => keys.get(alias) ?? NONE;
  const workspaceOf = (workspace: string): string => (workspace === subscriber ? publisher : NONE);
  /** Ids begin with the workspace; that of a stream goes on with its key. */
  function idOf(id: string): string {
    const [workspace, rest] = divided(id);
    return `${workspaceOf(workspace)}/${keys.get(rest) ?? rest}`;
  }
  const lying: Readonly<Record<string, (text: string) => string>> = {
    _id: idOf,
    workspace: workspaceOf,
    key: keyOf,
  };

  const placeOf = (where: Where): Where =>
    Object.fromEntries(
      Object.entries(where).map(([field, condition]) => {
        const name = lying[field];
        return [field, name ? renamed(condition, name) : condition];
      }),
    );
  function queryOf<Q extends Query>(query: Q): Q {
    const after = query.after?.map((value, i) => {
      const name = lying[query.sort?.by[i] ?? ''];
      return name && typeof value === 'string' ? name(value) : value;
    });
    return { ...query, where: placeOf(query.where), ...(after && { after }) };
  }

  const isOffered = ({ key }: Members): boolean => key === undefined || aliases.has(key);
  const seen = <D extends Doc>(doc: Stored<D>): Stored<D> => ({
    ...doc,
    ...inside(doc),
    _id: `${subscriber}/${aliases.get(divided(doc._id)[1]) ?? divided(doc._id)[1]}`,
  });
  function inside({ workspace, key, source, given, score_version, before }: Members): Members {
    const alias = key === undefined ? undefined : aliases.get(key)!;
    return {
      ...(workspace !== undefined && { workspace: subscriber }),
      ...(alias !== undefined && { key: alias }),
      // By default a source is the key
      ...(alias !== undefined && source !== undefined && { source: given?.source ?? alias }),
      ...(score_version !== undefined && { score_version: score_version && withoutWords(score_version) }),
      ...(before !== undefined && { before: { ...before, ...inside(before) } }),
    };
  }

  async function load<D extends Doc>(collection: string, ids: readonly string[]) {
    const found = await read.load<D>(collection, ids.map(idOf));
    const mine = [...found.values()].filter(isOffered).map(seen<D>);
    return new Map(mine.map(doc => [doc._id, doc]));
  }

  return {
    upTo: read.upTo,
    load,
    get: async <D extends Doc>(collection: string, id: string) =>
      (await load<D>(collection, [id])).get(id) ?? null,
    count: (collection, where) => read.count(collection, placeOf(where)),
    find: async <D extends Doc>(collection: string, query: Query) =>
      (await read.find<D>(collection, queryOf(query))).filter(isOffered).map(seen<D>),
    async *pages<D extends Doc>(collection: string, query: Parameters<Reader['pages']>[1]) {
      for await (const page of read.pages<D>(collection, queryOf(query)))
        yield page.filter(isOffered).map(seen<D>);
    },
  };
}

function divided(id: string): readonly [workspace: string, rest: string] {
  const at = id.indexOf('/');
  return [id.slice(0, at), id.slice(at + 1)];
}

/** A condition on names as they are where the documents lie. */
function renamed(condition: Condition, name: (text: string) => string): Condition {
  if (typeof condition === 'string') return name(condition);
  if (condition === null || typeof condition !== 'object') return condition;
  const texts = Object.entries(condition).map(([bound, value]) => {
    if (Array.isArray(value)) return [bound, value.map(each => name(String(each)))];
    return [bound, name(String(value))];
  });
  return Object.fromEntries(texts) as Condition;
}
