import * as assert from 'uvu/assert';
import type { Row } from '../../api/edge/row.js';
import { workspaceIdIn } from '../../domain/cell.js';
import { allRows } from '../../tools/all-rows.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, type Answer } from '../platform.js';

/** The id of a workspace that never was. */
export const nowhere = workspaceIdIn('local', 'nothinghere0');
/** Paths below one workspace or organization. */
export const groupRow = /^\/v1\/(workspace|organization)\/\{\w+_id\}/;

export type NamedRow = Row & { readonly verb: string };

/** A platform with all its rows, and a tenant besides the one that it was installed with. */
export async function accessWorld() {
  const folder = temporaryFolder();
  const api = await startPlatform(folder.path, { running: ['api', 'projections'] });
  const people = peopleOf(api.platform);
  const rows: readonly NamedRow[] = allRows(api.platform).map(row => ({
    ...row,
    verb: row.method.toUpperCase(),
  }));
  const stranger = await people.tenant('stranger@example.org');
  const close = async (): Promise<void> => {
    await api.stop();
    folder.remove();
  };
  return { api, people, rows, stranger, close };
}

export const refused = ({ status, json }: Answer, expected: number, code: string, what: string): void =>
  assert.equal([status, json?.error?.code], [expected, code], what);
