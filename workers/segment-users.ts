import { aliasIn, type AliasKind } from '../domain/marketplace/aliases.js';
import { entityOf } from '../domain/maths/series/units.js';
import type { KeptRecipe } from '../domain/segments/facts.js';
import type { Read } from '../domain/segments/reach.js';
import { respondingTo, streamsIn } from '../domain/segments/responses.js';
import type { SegmentQueries } from '../projections/segments/queries.js';

export type SegmentRef = { readonly workspace: string; readonly segmentId: string };
/**
 * A segment that reads something, what it calls that, and the one entity whose rows it is in. `responds`: it
 * has a column of what these events do to its target.
 */
export type Use = SegmentRef & {
  readonly read: Read;
  readonly entity: string | null;
  readonly responds: boolean;
};
type Known = SegmentRef & { readonly recipe: KeptRecipe };
type Loaded = { readonly at: number; readonly segments: Promise<Map<string, Known>> };

/** What is subscribed to lies in another workspace than the segment. */
const ALIASED = '';

/**
 * Which segments read a signal or a stream: of the documents at first, by workspace, and of all facts since.
 */
export class SegmentUsers {
  readonly #loaded = new Map<string, Loaded>();

  /** `freshMs`: what was read longer ago is read again. */
  constructor(
    private readonly queries: Pick<SegmentQueries, 'of' | 'aliased'>,
    private readonly resolve: (
      workspace: string,
      kind: AliasKind,
      key: string,
    ) => Promise<{ readonly workspace: string; readonly key: string } | null>,
    private readonly freshMs: number,
  ) {}

  /** A segment whose recipe is another one now; null: it is gone. */
  async add(ref: SegmentRef, recipe: KeptRecipe | null): Promise<void> {
    for (const name of [ref.workspace, ALIASED]) {
      const loaded = this.#loaded.get(name);
      if (!loaded) continue;
      const segments = await loaded.segments;
      if (recipe) segments.set(ref.segmentId, { ...ref, recipe });
      else segments.delete(ref.segmentId);
    }
  }

  /** `upToDate`: before documents are read. */
  async of(
    kind: AliasKind,
    workspace: string,
    key: string,
    upToDate: () => Promise<void>,
  ): Promise<readonly Use[]> {
    const [own, aliased] = await Promise.all([
      this.#segments(workspace, upToDate),
      this.#segments(ALIASED, upToDate),
    ]);
    const uses: Use[] = [];
    for (const segment of own.values()) uses.push(...usesOf(segment, kind, key));
    for (const segment of aliased.values())
      for (const alias of aliasesIn(segment.recipe, kind)) {
        if (aliasIn(kind, alias)?.key !== key) continue;
        const place = await this.resolve(segment.workspace, kind, alias);
        if (place?.workspace === workspace && place.key === key) uses.push(useOf(segment, kind, alias, null));
      }
    return uses;
  }

  /** Those of a workspace with columns of what events do, each stream of theirs. */
  async responding(workspace: string, upToDate: () => Promise<void>): Promise<readonly Use[]> {
    const own = await this.#segments(workspace, upToDate);
    return [...own.values()].flatMap(segment =>
      respondingTo(segment.recipe).map(stream => useOf(segment, 'stream', stream, null)),
    );
  }

  async #segments(name: string, upToDate: () => Promise<void>): Promise<Map<string, Known>> {
    const now = performance.now();
    const before = this.#loaded.get(name);
    if (before && now - before.at < this.freshMs) return before.segments;
    const segments = this.#load(name, upToDate);
    this.#loaded.set(name, { at: now, segments });
    try {
      return await segments;
    } catch (error) {
      this.#loaded.delete(name);
      throw error;
    }
  }

  async #load(name: string, upToDate: () => Promise<void>): Promise<Map<string, Known>> {
    await upToDate();
    const found = new Map<string, Known>();
    const pages = name === ALIASED ? this.queries.aliased() : this.queries.of(name);
    for await (const page of pages)
      for (const { workspace, segment_id: segmentId, recipe } of page)
        found.set(segmentId, { workspace, segmentId, recipe });
    return found;
  }
}

const refOf = ({ workspace, segmentId }: Known): SegmentRef => ({ workspace, segmentId });

const useOf = (segment: Known, kind: AliasKind, key: string, entity: string | null): Use => ({
  ...refOf(segment),
  read: { kind, key },
  entity,
  responds: kind === 'stream' && respondingTo(segment.recipe).includes(key),
});
const keysIn = ({ target, inputs, ...of }: KeptRecipe, kind: AliasKind): string[] =>
  kind === 'stream' ? streamsIn(of) : [target, ...inputs.map(({ key }) => key)];
const aliasesIn = (recipe: KeptRecipe, kind: AliasKind): Set<string> =>
  new Set(keysIn(recipe, kind).filter(key => aliasIn(kind, key) !== null));

/** In tables of entities the signal `<base>__<entity>` is read under its base, and stands for one entity. */
function usesOf(segment: Known, kind: AliasKind, key: string): Use[] {
  const { recipe } = segment;
  const named = new Set(keysIn(recipe, kind));
  const of = kind === 'signal' && recipe.entity_mode === 'per_entity' ? entityOf(key) : null;
  const uses: Use[] = [];
  if (named.has(key)) uses.push(useOf(segment, kind, key, null));
  if (of && named.has(of.base)) uses.push(useOf(segment, kind, of.base, of.entity));
  return uses;
}
