import type { Row } from '../edge/row.js';
import type { SegmentDeps } from './deps.js';
import { featureRows } from './features.js';
import { itemRows } from './item.js';
import { normalizationRows } from './normalization.js';
import { previewRows } from './previews.js';
import { suggestionRows } from './suggestions.js';
import { tableRowRows } from './table-rows.js';
import { versionRows } from './versions.js';

/** Model-ready tables: spec 4.10, open-parts 7. */
export const segmentRows = (deps: SegmentDeps): Row[] => [
  ...itemRows(deps),
  ...previewRows(deps),
  ...normalizationRows(deps),
  ...featureRows(deps),
  ...suggestionRows(deps),
  ...versionRows(deps),
  ...tableRowRows(deps),
];
