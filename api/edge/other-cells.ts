import { cellCode, cellOfId, cellOfWorkspace } from '../../domain/cell.js';
import type { Rejected } from '../../domain/rejected.js';
import { wrongCell, type Cell } from './auth-refusals.js';

/** 409 `wrong_cell` for an id that says it was made in another cell that is known. */
export type InOtherCell = (id: string) => Rejected | undefined;

/** `cells`: all others that are known. */
export function inOtherCell(cells: readonly Cell[]): InOtherCell {
  const byCode = new Map(cells.map(cell => [cellCode(cell.name), cell] as const));
  return id => wrongCell(byCode.get(cellOfId(id) ?? cellOfWorkspace(id) ?? ''));
}
