import { platformRows } from '../api/edge/platform.js';
import type { Row } from '../api/edge/row.js';
import type { Platform } from '../main.js';

/** The rows of all areas and those that every server adds. */
export const allRows = ({ rows, clock, config }: Platform): Row[] => [
  ...platformRows({
    cell: config.CELL,
    clock,
    version: { service: '', commit: '', builtAt: 0 },
    description: () => '{}',
    publicProbe: config.PUBLIC_PROBE,
    checks: () => ({ ready: true, checks: {}, figures: {} }),
  }),
  ...rows,
];
