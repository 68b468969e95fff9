import Router, { type Layer } from '@koa/router';
import { Rejected } from '../../domain/rejected.js';
import type { Access } from './row.js';

/** What the routing needs of a row; the edge hands in its prepared rows and gets them back. */
export type Routed = {
  readonly row: { readonly method: string; readonly path: string; readonly access: Access };
};

export type Found<R> =
  | { readonly kind: 'row'; readonly row: R; readonly params: () => Record<string, string> }
  /** The path is known, the method is not: the methods that are, and the rows of the path. */
  | { readonly kind: 'path'; readonly allow: string; readonly rows: readonly R[] }
  | { readonly kind: 'none' };

export type Routes<R> = (method: string, path: string) => Found<R>;

const none = { kind: 'none' } as const;

/** The rows of one path, by method as requests say it: `GET`. */
type Place<R> = { readonly rows: Map<string, R>; allow: string };

/**
 * The path decides first, and a fixed segment wins over a parameter: `GET /v1/event/record` is 405 although
 * there is `GET /v1/event/{event_id}`.
 *
 * One router for each area, the areas in a Map by the second segment of the path: a single router tries every
 * pattern on every request, which with all areas costs more than the stores. Of @koa/router only the matching
 * of paths is used, not its chain of middlewares: every row has the same one.
 */
export function routesOf<R extends Routed>(prepared: readonly R[]): Routes<R> {
  const areas = new Map<string, Router>();
  const byLayer = new Map<Layer, Place<R>>();
  for (const [path, place] of placesOf(prepared)) {
    const area = areaOf(path);
    const router = areas.get(area) ?? new Router({ sensitive: true, strict: true });
    areas.set(area, router);
    byLayer.set(router.register(path.replace(/\{(\w+)\}/g, ':$1'), [], unused) as Layer, place);
  }
  return (method, path) => {
    const layer = areas.get(areaOf(path))?.match(path, method).path[0] as Layer | undefined;
    if (!layer) return none;
    const { rows, allow } = byLayer.get(layer)!;
    const row = rows.get(method === 'HEAD' ? 'GET' : method);
    if (row) return { kind: 'row', row, params: () => paramsOf(layer, path) };
    return { kind: 'path', allow, rows: [...rows.values()] };
  };
}

/** Each path with its rows; of two that one request may mean, the one that wins comes first. */
function placesOf<R extends Routed>(prepared: readonly R[]): Map<string, Place<R>> {
  const places = new Map<string, Place<R>>();
  for (const each of [...prepared].sort((a, b) => fixedFirst(a.row.path, b.row.path))) {
    const { path, method } = each.row;
    const place = places.get(path) ?? { rows: new Map<string, R>(), allow: '' };
    place.rows.set(method.toUpperCase(), each);
    place.allow = allowOf(place.rows);
    places.set(path, place);
  }
  return places;
}

/** `/v1/event/streams` -> `event`; `/health` -> `health`. */
function areaOf(path: string): string {
  const start = path.startsWith('/v1/') ? 4 : 1;
  const end = path.indexOf('/', start);
  return end === -1 ? path.slice(start) : path.slice(start, end);
}

/** Segment by segment, fixed ones before parameters: the first match of a router is the one taken. */
function fixedFirst(a: string, b: string): number {
  const keyA = parametersIn(a);
  const keyB = parametersIn(b);
  if (keyA === keyB) return 0;
  return keyA < keyB ? -1 : 1;
}

/** Of each segment whether it is a parameter: `/v1/event/{id}` -> `0001`. */
const parametersIn = (path: string): string =>
  path
    .split('/')
    .map(segment => (segment.startsWith('{') ? '1' : '0'))
    .join('');

function paramsOf(layer: Layer, path: string): Record<string, string> {
  const params: Record<string, string> = {};
  layer.captures(path).forEach((text, index) => {
    params[layer.paramNames[index]!.name] = decoded(text);
  });
  return params;
}

/**
 * `%2F` inside a segment becomes a slash of the value; what is not percent-encoded UTF-8 is the path of
 * nothing.
 */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notFound;
  }
}

function allowOf(rows: ReadonlyMap<string, unknown>): string {
  const methods = new Set(rows.keys());
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].sort().join(', ');
}

export const notFound = new Rejected('missing', 'not_found', 'There is nothing at this path');

const unused = () => undefined;
