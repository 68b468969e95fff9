import { Rejected } from '../../domain/rejected.js';
import { row, type Row } from '../edge/row.js';
import { PATH } from './gateway.js';

/** The endpoint as OpenAPI can tell of it: what is said on the connection stands in docs/realtime.md. */
export const realtimeRows = (): Row[] => [
  row({
    method: 'get',
    path: PATH,
    operation: 'connect',
    summary: 'Connect for realtime events',
    description:
      'A WebSocket (RFC 6455). The token comes in `Authorization`, or as the subprotocol `bearer.<token>` '
      + 'beside `v1`, or in a first frame `{"type": "auth", "token": "..."}` within 5 seconds; a wrong one '
      + 'closes with 4401. The first frame of the server is `welcome`; then subscribe: `{"type": '
      + '"subscribe", "channels": ["workspace:<id>", "user:<id>"], "ref": "1"}`. Delivery is best-effort: '
      + 'read again by REST what an event names. A request that does not ask for a WebSocket is answered '
      + '426.',
    tag: 'Realtime',
    access: { kind: 'account' },
    answers: { 101: { description: 'The connection is a WebSocket from here on', schema: null } },
    errors: { 403: ['origin_forbidden'], 426: ['upgrade_required'] },
    run() {
      throw new Rejected('upgrade', 'upgrade_required', 'This is a WebSocket; ask for one', {
        upgrade: 'websocket',
      });
    },
  }),
];
