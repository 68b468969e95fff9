import { END, type Tree } from './model.js';
import { float32At, listAt, objectAt, wholeAt, words, wrong } from './xgboost-members.js';

/** Nodes of one tree. */
const MOST_NODES = 2_000_000;

/**
 * One tree of a file. Nodes that cannot be reached from the root (XGBoost leaves those that it pruned) are
 * left out.
 * @throws Rejected as `readXgboost`
 */
export function readTree(value: unknown, at: string, features: number): Tree {
  const tree = objectAt(value, at);
  const parameters = objectAt(tree['tree_param'], `${at}.tree_param`);
  const size = wholeAt(parameters['num_nodes'], `${at}.tree_param.num_nodes`, 1, MOST_NODES);
  if (Number(parameters['size_leaf_vector'] ?? 0) > 1)
    throw wrong(
      `${at}.tree_param.size_leaf_vector`,
      'must be at most 1: trees of several outputs are not read',
    );
  const list = (name: string): readonly unknown[] => {
    const entries = listAt(tree[name], `${at}.${name}`, size);
    if (entries.length !== size)
      throw wrong(`${at}.${name}`, `must have ${size} entries, not ${entries.length}`);
    return entries;
  };
  const optional = (name: string): readonly unknown[] | null =>
    tree[name] === undefined ? null : list(name);
  const [lefts, rights] = [list('left_children'), list('right_children')];
  const [indices, conditions, defaults] = [
    list('split_indices'),
    list('split_conditions'),
    list('default_left'),
  ];
  const types = optional('split_type');
  const [gains, hessians] = [optional('loss_changes'), optional('sum_hessian')];
  const kept = reached(lefts, rights, at);
  const place = new Map(kept.map((node, i) => [node, i]));
  const isEnd = (node: number): boolean => lefts[node] === END;
  const child = (node: number, list: readonly unknown[]): number =>
    isEnd(node) ? END : place.get(Number(list[node]))!;
  const condition = (node: number): number => float32At(conditions[node], `${at}.split_conditions[${node}]`);
  for (const node of kept)
    if (types && !isEnd(node) && Number(types[node]) !== 0)
      throw wrong(`${at}.split_type[${node}]`, 'must be 0: splits by categories are not read');
  return {
    left: kept.map(node => child(node, lefts)),
    right: kept.map(node => child(node, rights)),
    feature: kept.map(node =>
      isEnd(node) ? 0 : wholeAt(indices[node], `${at}.split_indices[${node}]`, 0, features - 1),
    ),
    threshold: kept.map(node => (isEnd(node) ? 0 : condition(node))),
    missingLeft: kept.map(node => (isEnd(node) ? 0 : sideAt(defaults[node], `${at}.default_left[${node}]`))),
    value: kept.map(node => (isEnd(node) ? condition(node) : 0)),
    gain: kept.map(node =>
      isEnd(node) || !gains ? 0 : float32At(gains[node], `${at}.loss_changes[${node}]`),
    ),
    rows: kept.map(node => (hessians ? float32At(hessians[node], `${at}.sum_hessian[${node}]`) : 0)),
  };
}

function sideAt(value: unknown, at: string): 0 | 1 {
  if (value === 0 || value === false) return 0;
  if (value === 1 || value === true) return 1;
  throw wrong(at, `must be 0 or 1, not ${words(value)}`);
}

/** The nodes under the root, ascending; each of them is reached in one way. */
function reached(lefts: readonly unknown[], rights: readonly unknown[], at: string): number[] {
  const seen = new Uint8Array(lefts.length);
  const nodes: number[] = [];
  const ahead = [0];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if (seen[node]) throw wrong(at, `must be a tree: node ${node} is reached twice`);
    seen[node] = 1;
    nodes.push(node);
    if (lefts[node] === END && rights[node] === END) continue;
    ahead.push(wholeAt(rights[node], `${at}.right_children[${node}]`, 1, lefts.length - 1));
    ahead.push(wholeAt(lefts[node], `${at}.left_children[${node}]`, 1, lefts.length - 1));
  }
  return nodes.sort((a, b) => a - b);
}
