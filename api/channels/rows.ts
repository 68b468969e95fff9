import type { Row } from '../edge/row.js';
import { channelRows } from './channels.js';
import { deliveryRows } from './deliveries.js';
import type { ChannelDeps } from './deps.js';
import { verifyingRows } from './verifying.js';

/** Where a user is told besides the feed: open-parts 21, 32.33 and 32.34. */
export const notificationChannelRows = (deps: ChannelDeps): Row[] => [
  ...channelRows(deps),
  ...verifyingRows(deps),
  ...deliveryRows(deps),
];
