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

/**
 * One router for each area, the areas in a Map by the second segment of the path: a single router tries the
 * pattern of every row on every request, which with all areas costs more than the stores. Of @koa/router only
 * the matching is used, not its chain of middlewares: every row has the same one.
 */
export function routesOf<R extends Routed>(prepared: readonly R[]): Routes<R> {
  const areas = new Map<string, Router>();
  const byLayer = new Map<Layer, R>();
  for (const row of [...prepared].sort((a, b) => fixedFirst(a.row.path, b.row.path))) {
    const area = areaOf(row.row.path);
    const router = areas.get(area) ?? new Router({ sensitive: true, strict: true });
    areas.set(area, router);
    const layer = router.register(row.row.path.replace(/\{(\w+)\}/g, ':$1'), [row.row.method], unused);
    byLayer.set(layer as Layer, row);
  }
  return (method, path) => {
    const matched = areas.get(areaOf(path))?.match(path, method);
    if (!matched || matched.path.length === 0) return none;
    const layer = matched.pathAndMethod[0] as Layer | undefined;
    if (layer) return { kind: 'row', row: byLayer.get(layer)!, params: () => paramsOf(layer, path) };
    const rows = (matched.path as Layer[]).map(other => byLayer.get(other)!);
    return { kind: 'path', allow: allowOf(rows), rows };
  };
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

function allowOf(rows: readonly Routed[]): string {
  const methods = new Set(rows.map(({ row }) => row.method.toUpperCase()));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].sort().join(', ');
}

export const notFound = new Rejected('missing', 'not_found', 'There is nothing at this path');

const unused = () => undefined;
