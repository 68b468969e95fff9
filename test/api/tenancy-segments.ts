import fc from 'fast-check';
import { START } from './tenancy-operations.js';

// What two tenants may do with segments of the same signals. Nothing builds tables there: a segment waits for
// its first, and previews show what it would be.

const one = <T>(list: readonly T[]) => fc.constantFrom(...list);
const whose = fc.constantFrom('own', 'own', 'own', 'other');
const lag = { name: 'before', kind: 'lag', params: { column: 's', steps: 1 } } as const;
const s = { target: 's', step_s: 3_600, split: { folds: 1 } } as const;
const recipes = [
  s,
  s,
  { ...s, features: [lag] },
  { ...s, inputs: [{ key: 'a' }] },
  { ...s, entity_mode: 'per_entity' },
  { ...s, event_streams: [{ stream: 'b/c', encoding: 'count' }] },
  { ...s, target: 'nobody' },
] as const;

/** Something to make a segment of. */
export const POINTS = [0, 1, 2, 3].map(hour => ({
  ...({ do: 'push', key: 's', hour, value: 1 + (hour % 3), idempotency: null } as const),
}));
export const MAKE_SEGMENT = { do: 'makeSegment', recipe: recipes[2], idempotency: null } as const;

export const segmented = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('makeSegment' as const),
      recipe: one(recipes),
      idempotency: fc.constantFrom(null, null, 'g1', 'g2'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('preview' as const), recipe: one(recipes) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('segments' as const),
      path: one(['', '?per_page=1', '?per_page=1&page=2']),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('segment' as const),
      call: one([
        ...[['GET', ''] as const, ['GET', ''] as const, ['GET', '/rows'] as const, ['DELETE', ''] as const],
        ...[['GET', '/versions?per_page=2'] as const, ['GET', '/versions/1'] as const],
        ...[['GET', '/versions/2'] as const, ['GET', `?as_of=${new Date(START).toISOString()}`] as const],
        ...[['GET', '/features'] as const, ['GET', '/normalization'] as const, ['POST', '/rebuild'] as const],
        ...recipes.slice(1, 4).map(recipe => ['PUT', '', { name: 'S', ...recipe }] as const),
        ['PUT', '/normalization', { method: 'zscore' }] as const,
        ...[['POST', '/preview', { step_s: 7_200 }] as const],
        ['POST', '/features', lag] as const,
      ]),
      whose,
      version: fc.constantFrom(null, null, null, 'own', 'other', '"1"', '"nonsense"'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('feature' as const),
      call: one([['PATCH', { enabled: false }] as const, ['DELETE'] as const]),
      whose,
      /** Whose segment it is looked for in. */
      within: whose,
    }),
  },
);
export type Segmented = typeof segmented extends fc.Arbitrary<infer T> ? T : never;

type Ids = { readonly seg: string; readonly ftr: string };
const PATH = '/v1/segment';

/** Method, path and body; `of`: ids of whoever is meant. */
export function segmentedCall(
  each: Segmented,
  of: (whose: string) => Ids,
): readonly [method: string, path: string, body?: object | undefined] {
  switch (each.do) {
    case 'makeSegment':
      return ['POST', PATH, { name: 'S', ...each.recipe }];
    case 'preview':
      return ['POST', `${PATH}/preview`, each.recipe];
    case 'segments':
      return ['GET', PATH + each.path];
    case 'segment': {
      const [method, path, body] = each.call;
      return [method, `${PATH}/${of(each.whose).seg}${path}`, body];
    }
    case 'feature': {
      const [method, body] = each.call;
      return [method, `${PATH}/${of(each.within).seg}/features/${of(each.whose).ftr}`, body];
    }
  }
}
