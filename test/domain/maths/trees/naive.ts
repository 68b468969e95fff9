import type { Columns, Tree } from '../../../../domain/maths/trees/index.js';

/** What a split is judged by: the negative gradients of the rows, each with a second derivative of 1. */
export type Rows = { readonly columns: Columns; readonly steps: Float64Array };

const score = ({ steps }: Rows, rows: readonly number[], l2: number): number =>
  rows.reduce((sum, row) => sum + steps[row]!, 0) ** 2 / (rows.length + l2);

/** The greatest gain of all ways to part rows: each border of each column, missing values on either side. */
export function bestGain(table: Rows, rows: readonly number[], l2: number, minLeafRows: number): number {
  let best = 0;
  for (const column of table.columns) {
    const borders = [...new Set(rows.map(row => column[row]!).filter(x => !Number.isNaN(x))), Infinity];
    for (const border of borders)
      for (const missingLeft of [false, true]) {
        const goesLeft = (row: number): boolean =>
          Number.isNaN(column[row]!) ? missingLeft : column[row]! < border;
        const left = rows.filter(goesLeft);
        const right = rows.filter(row => !goesLeft(row));
        if (left.length < minLeafRows || right.length < minLeafRows) continue;
        best = Math.max(best, score(table, left, l2) + score(table, right, l2) - score(table, rows, l2));
      }
  }
  return best;
}

/** For each node of a tree the rows that reach it, by the tree's own words. */
export function rowsAt(tree: Tree, columns: Columns): number[][] {
  const reached: number[][] = tree.left.map(() => []);
  for (let row = 0; row < columns[0]!.length; row++) {
    let node = 0;
    reached[node]!.push(row);
    while (tree.left[node] !== -1) {
      const value = columns[tree.feature[node]!]![row]!;
      const goesLeft = Number.isNaN(value)
        ? tree.missingLeft[node] === 1
        : Math.fround(value) < tree.threshold[node]!;
      node = goesLeft ? tree.left[node]! : tree.right[node]!;
      reached[node]!.push(row);
    }
  }
  return reached;
}

/** When a node came to be: the number of the split that made it, from 1 on; 0 for the root. */
export function madeAt({ left, right }: Tree): number[] {
  const made = left.map(() => 0);
  left.forEach((child, node) => {
    if (child === -1) return;
    for (const each of [child, right[node]!]) made[each] = Math.ceil(each / 2);
  });
  return made;
}
