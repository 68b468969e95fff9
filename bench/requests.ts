import { streamOf, streamsIn, textOf, type Folder } from './data.js';
import { requestOf } from './load.js';

// The requests that the benchmarks of the whole platform send, as they go over the wire.

type Caller = Pick<Folder, 'token' | 'workspaceId'>;
type Next = () => string;

/** Nobody: for servers that look at no token. */
export const nobody: Folder = {
  path: '',
  token: 'psg_live_none',
  workspaceId: 'wsp_bench',
  events: 0,
  now: 0,
};

const headersOf = ({ token, workspaceId }: Caller) => ({
  authorization: `Bearer ${token}`,
  'x-workspace-id': workspaceId,
  'content-type': 'application/json',
});

const STREAMS = 50;
const run = `${Date.now() % 1e9}`;
let recorded = 0;

/** Events of 300 bytes in 50 streams, no two alike. */
export function recordings(caller: Caller): Next {
  const headers = headersOf(caller);
  return () => {
    const n = ++recorded;
    const body = `{"key":"${streamOf(n, STREAMS)}","text":"${run} ${textOf(n)}"}`;
    return requestOf('POST', '/v1/event/record', headers, body);
  };
}

export const BATCH = 1_000;
export const SIGNALS = 1_000;
const MINUTE = 60_000;
const START = Date.parse('2000-01-01');

/**
 * Batches of points: each signal goes on where its batch before ended; every tenth step is one second longer.
 */
export function batches(caller: Caller): Next {
  const headers = headersOf(caller);
  let count = 0;
  return () => {
    const n = count++;
    const key = `plant.sensor-${n % SIGNALS}`;
    const from = START + Math.floor(n / SIGNALS) * BATCH * (MINUTE + 1_000);
    const points = Array.from({ length: BATCH }, (_, i) => {
      const time = from + i * MINUTE + (i % 10 === 0 ? 1_000 : 0);
      return `[${time},${((n * 7 + i * 13) % 10_000) / 100}]`;
    });
    return requestOf('POST', '/v1/signal/push', headers, `{"key":"${key}","values":[${points}]}`);
  };
}

/** The newest page of one stream after the other. */
export function newestPages(folder: Folder): Next {
  const headers = headersOf(folder);
  let count = 0;
  return () => {
    const stream = streamOf(count++, streamsIn(folder.events));
    return requestOf('GET', `/v1/event/streams/${stream}/events`, headers);
  };
}
