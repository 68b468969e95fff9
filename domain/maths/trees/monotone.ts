import type { Nodes } from './leaves.js';
import { END } from './model.js';

/**
 * Makes the values of the ends keep the monotone options where they were renewed after the tree had grown:
 * from the lowest splits up, where an end on the side that must be lower is above one on the other side, both
 * sides are cut off half way between. What held below still holds, as all ends of a side are cut alike.
 */
export function keepMonotone(nodes: Nodes, monotone: readonly number[]): void {
  const { left, right, feature, value } = nodes;
  for (let node = left.length - 1; node >= 0; node--) {
    const sign = left[node] === END ? 0 : (monotone[feature[node]!] ?? 0);
    if (sign === 0) continue;
    const sides = [endsUnder(nodes, left[node]!), endsUnder(nodes, right[node]!)];
    const [low, high] = (sign > 0 ? sides : sides.reverse()) as [number[], number[]];
    const most = Math.max(...low.map(end => value[end]!));
    const least = Math.min(...high.map(end => value[end]!));
    if (most <= least) continue;
    const middle = least + (most - least) / 2;
    for (const end of low) value[end] = Math.min(middle, value[end]!);
    for (const end of high) value[end] = Math.max(middle, value[end]!);
  }
}

const endsUnder = ({ left, right }: Nodes, node: number): number[] => {
  const ends: number[] = [];
  const ahead = [node];
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop())
    if (left[at] === END) ends.push(at);
    else ahead.push(left[at]!, right[at]!);
  return ends;
};
