import type { KeptRecipe } from '../../domain/segments/facts.js';
import { iso } from '../../domain/time.js';
import type { SegmentDoc, SegmentVersionDoc, TableDoc } from '../../projections/segments/documents.js';

const time = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** A recipe as it is given. */
export const recipeView = ({ from, to, ...recipe }: KeptRecipe) => ({
  ...recipe,
  step_months: recipe.step_months ?? null,
  from: time(from),
  to: time(to),
});

export const tableView = (table: TableDoc | null) => ({
  row_count: table?.row_count ?? null,
  ahead: table?.ahead ?? null,
  column_count: table?.columns.length ?? null,
  columns: table?.columns ?? null,
  entities: table?.entities ?? null,
  data_cutoff: time(table?.data_cutoff ?? null),
  table_hash: table?.table_hash ?? null,
  rebuilt_rows: table ? (table.rebuilt_rows ?? table.row_count) : null,
  built_at: time(table?.built_at ?? null),
  quality: table?.quality ?? null,
  responses:
    table?.responses?.map(({ stream, entity, edgeId, goalId, checkId, checkedAt, weighedBy }) => ({
      ...{ stream, entity, goal_id: goalId, edge_id: edgeId, discovery_id: checkId },
      ...{ checked_at: time(checkedAt), weighed_by: weighedBy },
    })) ?? null,
});

export function segmentView(doc: SegmentDoc) {
  const { segment_id, name, description, recipe, status, version, table, error, changed_rows } = doc;
  return {
    ...{ segment_id, name, description },
    ...recipeView(recipe),
    ...{ status, version, revision: doc.revision },
    built_version: table?.version ?? null,
    ...tableView(table),
    changed_rows,
    error,
    created_at: iso(doc.created_at),
    updated_at: iso(doc.updated_at),
  };
}

export const versionView = ({ version, recipe, created_at, created_by, table }: SegmentVersionDoc) => ({
  version,
  created_at: iso(created_at),
  created_by,
  ...recipeView(recipe),
  ...tableView(table),
});
