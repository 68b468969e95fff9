import type { Row } from '../edge/row.js';
import type { NotificationDeps } from './deps.js';
import { feedRows } from './feed.js';
import { markRows } from './marks.js';
import { preferenceRows } from './preferences.js';
import { streamRow, type StreamDeps } from './stream.js';

/** What people are told: spec 6.2, open-parts 21 and 32.33. */
export const notificationRows = (deps: NotificationDeps & StreamDeps): Row[] => [
  ...feedRows(deps),
  ...markRows(deps),
  ...preferenceRows(deps),
  streamRow(deps),
];
