import type { GoalSettings } from '../domain/goals/settings.js';
import { stepKept, type GoalStep } from '../domain/goals/steps.js';
import { aliasOf, type AliasKind } from '../domain/marketplace/aliases.js';
import { entityOf } from '../domain/maths/series/units.js';
import type { SourceKind } from '../domain/revisions/causes.js';
import type { KeptRecipe } from '../domain/segments/facts.js';
import { streamsIn } from '../domain/segments/responses.js';
import type { Offer } from '../projections/marketplace/queries.js';

/** A goal whose history a source is part of. */
export type UsingGoal = { readonly goalId: string } & GoalStep & Pick<GoalSettings, 'cadenceS'>;
/** A workspace whose goals use a source, and what it calls it. */
export type UsedIn = {
  readonly workspace: string;
  readonly key: string;
  readonly goals: readonly UsingGoal[];
};

type Goal = UsingGoal & {
  readonly target: string;
  readonly segmentId: string | null;
};
export type UsesDeps = {
  /** Goals of a workspace whose history counts: they run, or rest. */
  readonly goals: (workspace: string) => AsyncIterable<readonly Goal[]>;
  readonly recipe: (workspace: string, segmentId: string) => Promise<KeptRecipe | null>;
  /** What edges of a goal come from, those alone that are looked at again. */
  readonly sources: (
    workspace: string,
    goalId: string,
  ) => Promise<readonly { readonly kind: SourceKind; readonly key: string }[]>;
  /** Published listings of a workspace, and who subscribes to each. */
  readonly offers: (workspace: string) => Promise<readonly Offer[]>;
  /** What was read longer ago is read again, ms. */
  readonly freshMs: number;
};
type ByKey = Map<string, Map<string, UsingGoal>>;
/** What goals of a workspace use; `bases`: signals of entities, by the base that their table names. */
type Uses = { readonly signal: ByKey; readonly stream: ByKey; readonly bases: ByKey };
type Loaded<T> = { readonly at: number; readonly value: Promise<T> };

/** So many workspaces are remembered. */
const MOST = 10_000;

/** Which goals use a signal or a stream: of the documents at first, until something of it changes. */
export class RevisionUses {
  readonly #uses = new Map<string, Loaded<Uses>>();
  readonly #offers = new Map<string, Loaded<readonly Offer[]>>();
  /** Waits until read models hold the last change, by workspace; '': of what is offered. */
  readonly #since = new Map<string, () => Promise<void>>();

  constructor(private readonly deps: UsesDeps) {}

  /** Goals of a workspace, their segments or edges are others now. */
  changed(workspace: string, upToDate: () => Promise<void>): void {
    this.#uses.delete(workspace);
    this.#since.set(workspace, upToDate);
  }

  /** What is published, or subscribed to, is something else now. */
  marketChanged(upToDate: () => Promise<void>): void {
    this.#offers.clear();
    this.#since.set('', upToDate);
  }

  /** `upToDate`: before documents are read. */
  async of(
    kind: SourceKind,
    workspace: string,
    key: string,
    upToDate: () => Promise<void>,
  ): Promise<readonly UsedIn[]> {
    const offers = await this.#get(this.#offers, workspace, upToDate, this.deps.offers);
    const places = [{ workspace, key }, ...aliases(offers, kind, key)];
    const found = await Promise.all(
      places.map(async place => {
        const uses = await this.#get(this.#uses, place.workspace, upToDate, of => this.#load(of));
        return { ...place, goals: goalsIn(uses, kind, place.key) };
      }),
    );
    return found.filter(({ goals }) => goals.length > 0);
  }

  async #get<T>(
    all: Map<string, Loaded<T>>,
    workspace: string,
    upToDate: () => Promise<void>,
    load: (workspace: string) => Promise<T>,
  ): Promise<T> {
    const now = performance.now();
    const before = all.get(workspace);
    if (before && now - before.at < this.deps.freshMs) return before.value;
    if (all.size >= MOST) all.clear();
    // The change that emptied it may be younger than what is asked for now
    const waits = [upToDate, this.#since.get(''), this.#since.get(workspace)];
    const loaded = { at: now, value: Promise.all(waits.map(wait => wait?.())).then(() => load(workspace)) };
    all.set(workspace, loaded);
    try {
      return await loaded.value;
    } catch (error) {
      if (all.get(workspace) === loaded) all.delete(workspace);
      throw error;
    }
  }

  async #load(workspace: string): Promise<Uses> {
    const uses: Uses = { signal: new Map(), stream: new Map(), bases: new Map() };
    for await (const page of this.deps.goals(workspace))
      for (const goal of page) {
        add(uses.signal, goal.target, goal);
        const recipe = goal.segmentId && (await this.deps.recipe(workspace, goal.segmentId));
        if (recipe) addRecipe(uses, recipe, goal);
        for (const { kind, key } of await this.deps.sources(workspace, goal.goalId))
          add(uses[kind], key, goal);
      }
    return uses;
  }
}

function add(all: ByKey, key: string, goal: UsingGoal): void {
  const { goalId, cadenceS } = goal;
  const goals = all.get(key) ?? new Map<string, UsingGoal>();
  all.set(key, goals.set(goalId, { goalId, ...stepKept(goal), cadenceS }));
}

function addRecipe(uses: Uses, recipe: KeptRecipe, goal: UsingGoal): void {
  for (const key of [recipe.target, ...recipe.inputs.map(input => input.key)]) {
    add(uses.signal, key, goal);
    if (recipe.entity_mode === 'per_entity') add(uses.bases, key, goal);
  }
  for (const stream of streamsIn(recipe)) add(uses.stream, stream, goal);
}

function goalsIn(uses: Uses, kind: SourceKind, key: string): readonly UsingGoal[] {
  const base = kind === 'signal' ? entityOf(key)?.base : undefined;
  const found = new Map([...(uses[kind].get(key) ?? []), ...(uses.bases.get(base ?? '') ?? [])]);
  return [...found.values()];
}

/** Where else it is read, and under which names. */
const aliases = (offers: readonly Offer[], kind: AliasKind, key: string) =>
  offers
    .filter(({ keys, streams }) => (kind === 'signal' ? keys : streams).includes(key))
    .flatMap(({ listingId, subscribers }) =>
      subscribers.map(workspace => ({ workspace, key: aliasOf(kind, { listingId, key }) })),
    );
