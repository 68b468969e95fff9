/** A value that is stored, and where: of which thing, and the path in what the API shows of it. */
export type StoredFact = {
  readonly kind: 'goal' | 'forecast' | 'edge' | 'tournament' | 'signal' | 'discovery';
  readonly id: string;
  /** `points[0].mean` */
  readonly field: string;
  readonly value: string | number;
};

/** A thing as the API shows it. */
export type Source = {
  readonly kind: StoredFact['kind'];
  readonly id: string;
  readonly shown: unknown;
};

/** What stands at a path in a thing; null: nothing that can be told. */
export function factAt({ kind, id, shown }: Source, field: string): StoredFact | null {
  let at: unknown = shown;
  for (const [, name, index] of field.matchAll(/([^.[\]]+)|\[([^\]]+)\]/g)) {
    if (typeof at !== 'object' || at === null) return null;
    at = (at as Record<string, unknown>)[name ?? index!];
  }
  return typeof at === 'string' || typeof at === 'number' ? { kind, id, field, value: at } : null;
}
