import { memoryOf, quick, startPresage, table, whole } from './common.js';
import { copyOf, textOf } from './data.js';

/**
 * A platform that works for a while: texts to be scored come, more at first than it can score, then as
 * many as it can, with pushes and reads beside them. Tells its memory and its backlog as time goes on:
 * once the backlog is empty memory should stay as it is. `node dist/bench/soak.js [--quick]
 * [--seconds=600]`
 */
const given = process.argv.find(arg => arg.startsWith('--seconds='))?.slice('--seconds='.length);
const SECONDS = Number(given ?? (quick ? 20 : 60));
/** For so great a part of the time more texts come than are scored. */
const FLOOD = 1 / 6;
const TEXTS_A_SECOND = { flood: 10, after: 1 };
const ROWS = 20;

type Row = { readonly at: number; readonly backlog: number; readonly memory: number };

const folder = await copyOf(2_000, 100);
const server = await startPresage(folder.path, 'api,projections,workers');
const base = `http://127.0.0.1:${server.port}`;
const headers = {
  authorization: `Bearer ${folder.token}`,
  'x-workspace-id': folder.workspaceId,
  'content-type': 'application/json',
};
const run = Date.now() % 1e9;
let recorded = 0;

async function call(path: string, body?: object): Promise<unknown> {
  const asked = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(base + path, { headers, ...asked });
  if (!answer.ok) throw new Error(`${path} was refused: ${await answer.text()}`);
  return answer.json();
}

async function aSecond(texts: number): Promise<void> {
  const events = Array.from({ length: texts }, () => {
    const n = ++recorded;
    return { key: `stream-${n % 100}`, text: `${run} ${textOf(n)}` };
  });
  const at = Date.now();
  const points = Array.from({ length: 100 }, (_, i) => ({
    key: `soak-${i}`,
    value: recorded,
    timestamp: at,
  }));
  await call('/v1/event/record-batch', { events });
  await call('/v1/signal/push', { points });
  await call('/v1/event/streams?points=none');
  await call('/v1/signal/overview');
}

const backlogOf = async (): Promise<number> =>
  ((await call('/ready')) as { readonly scoring_backlog: number }).scoring_backlog;

const rows: Row[] = [];
const began = performance.now();
const elapsed = (): number => (performance.now() - began) / 1_000;
for (let second = 1; elapsed() < SECONDS; second++) {
  await aSecond(elapsed() < SECONDS * FLOOD ? TEXTS_A_SECOND.flood : TEXTS_A_SECOND.after);
  if (elapsed() >= (rows.length * SECONDS) / ROWS)
    rows.push({ at: elapsed(), backlog: await backlogOf(), memory: memoryOf(server).now });
  await new Promise(resolve => setTimeout(resolve, Math.max(0, (second - elapsed()) * 1_000)));
}
rows.push({ at: elapsed(), backlog: await backlogOf(), memory: memoryOf(server).now });

console.log(`Memory while ${whole(recorded)} texts came in ${whole(SECONDS)} s`);
table(
  ['s', 'texts that wait', 'memory MB'],
  rows.map(({ at, backlog, memory }) => [whole(at), whole(backlog), whole(memory)]),
);
const empty = rows.find(({ at, backlog }) => at > SECONDS * FLOOD && backlog < 100);
const last = rows.at(-1)!;
console.log(
  empty && empty !== last
    ? `From ${whole(empty.at)} s on, when none waited, memory went from ${whole(empty.memory)} to `
        + `${whole(last.memory)} MB; at most it was ${whole(memoryOf(server).peak)} MB.`
    : 'The backlog was not empty before the end: take longer.',
);
await server.stop();
folder.remove();
