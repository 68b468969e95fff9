/** Those that 'w' subscribes to are the first three, of the other workspace. */
export const catalogueKeys = ['a', 'a.b', 'a.B__x', 'b/c', '\u{1f600}.z', '\uff5e', 'Straße'];

/** A row as plainly as can be. */
export type NaiveRow = {
  type: string;
  key: string;
  last: number;
  count: number;
  group: string;
  kind: string;
  origin: string;
  name: string | null;
};
type Thing = { times: number[]; origin: string; group: string | null; name: string | null };
/** What the catalogue of 'w' holds, found out the long way. */
export class NaiveCatalogue {
  readonly things = new Map<string, Thing>();
  readonly recorded: { workspace: string; key: string; id: string; time: number }[] = [];
  add(id: string, times: readonly number[], origin: string): void {
    const thing = this.things.get(id) ?? { times: [], origin, group: null, name: null };
    if (thing.times.length === 0) thing.origin = origin;
    thing.times.push(...times);
    this.things.set(id, thing);
  }
  rows(): NaiveRow[] {
    return [...this.things].flatMap(([id, { times, origin, group: its, name: called }]) => {
      const [workspace, type, key] = JSON.parse(id) as [string, string, string];
      const alias = workspace === 'other';
      if (times.length === 0 || (alias && catalogueKeys.indexOf(key) > 2)) return [];
      const dot = key.indexOf('.');
      const group = alias ? 'marketplace' : (its ?? (dot > 0 ? key.slice(0, dot) : 'ungrouped'));
      return [
        {
          type,
          key: alias ? `${type === 'signal' ? 'mkt' : 'mkt-evt'}:lst_1:${key}` : key,
          last: Math.max(...times),
          count: times.length,
          group,
          name: called,
          kind: kindOf(alias, its),
          origin: alias ? 'marketplace' : origin,
        },
      ];
    });
  }
}

function kindOf(alias: boolean, group: string | null): string {
  if (alias) return 'marketplace';
  return group === null ? 'inferred' : 'user';
}
