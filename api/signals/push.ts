import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { readPush } from './push-body.js';
import type { Given } from './push-point.js';
import { tag, writes, type SignalDeps } from './deps.js';
import * as schemas from './schemas.js';

const LISTED_ERRORS = 100;

/** Adding values: spec 4.3, open-parts 4.1. */
export const pushRows = ({ commands, clock, visible }: SignalDeps): Row[] => [
  row({
    method: 'post',
    path: '/v1/signal/push',
    operation: 'pushSignal',
    summary: 'Add values to signals',
    tag,
    access: writes,
    policy: 'push',
    description:
      'One point (`key`, `value`, `timestamp`), many `points`, or the `values` of one `key`. Each is taken '
      + 'or refused by itself; when every one is refused the answer is 422. The same value at the same time '
      + 'is a duplicate; another value at a known time revises it, and the older one is kept.',
    body: schemas.pushBody,
    weight: ({ points, values }) => points?.length ?? values?.length ?? 1,
    answers: { 200: { description: 'What became of the points', schema: schemas.pushAnswer } },
    errors: { 403: ['signal_read_only'] },
    async run(call) {
      const context = contextOf(call, clock());
      const { pushes, errors } = readPush(call.body as Given, context.at);
      const pushed = await commands.push(call.workspace, pushes, context);
      const sum = (member: 'recorded' | 'revised' | 'duplicates'): number =>
        pushed.reduce((total, each) => total + each[member], 0);
      const revised = sum('revised');
      await visible(
        pushed.reduce<number | null>(
          (last, { position }) => (position === null ? last : Math.max(last ?? 0, position)),
          null,
        ),
      );
      return {
        body: {
          status: 'accepted',
          data: {
            accepted: sum('recorded') + revised,
            revised,
            duplicates: sum('duplicates'),
            rejected: errors.length,
            errors: errors.slice(0, LISTED_ERRORS),
          },
        },
      };
    },
  }),
];
