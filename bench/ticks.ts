import { cpuOf, median, quick, ratio, startPresage, table, whole, type Server } from './common.js';
import { copyOf, type Folder } from './data.js';
import { oneByOne, requestOf } from './load.js';

/**
 * One point at a time for each of very many signals, as sensors push: processor time of the server for a
 * point, recorded and visible, in alternated rounds. Each signal has a few hundred points before.
 * `--against=<folder of another build>` pushes the same to that build. `node dist/bench/ticks.js [--quick]
 * [--against=/path/to/dist]`
 */
const SIGNALS = quick ? 1_000 : 10_000;
const ROUNDS = quick ? 3 : 5;
const BEFORE = 500;
/** Pushed in small parts behind these, as if they had come one by one. */
const TAIL = 4;
const PART = 30;
const AT_ONCE = 1_000;
const MINUTE = 60_000;
const START = Date.parse('2026-01-01');

type Side = {
  readonly name: string;
  readonly server: Server;
  readonly folder: Folder & { remove: () => void };
};

const push = ({ server, folder }: Side, bodies: readonly string[]): Promise<number[]> => {
  const { token, workspaceId } = folder;
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'content-type': 'application/json',
  };
  const next = bodies.values();
  return oneByOne(server.port, bodies.length, () =>
    requestOf('POST', '/v1/signal/push', headers, next.next().value as string),
  );
};

/** Points of all signals from one minute up to another, at most 5,000 in a body. */
function bodiesOf(from: number, to: number): string[] {
  const signals = Math.min(AT_ONCE, Math.floor(5_000 / (to - from)));
  const bodies: string[] = [];
  for (let first = 0; first < SIGNALS; first += signals) {
    const points: string[] = [];
    for (let n = first; n < Math.min(SIGNALS, first + signals); n++)
      for (let i = from; i < to; i++) {
        const value = Math.round(1e4 * Math.sin(n + i)) / 100;
        points.push(`{"key":"plant.sensor-${n}","value":${value},"timestamp":${START + i * MINUTE + n}}`);
      }
    bodies.push(`{"points":[${points.join()}]}`);
  }
  return bodies;
}

async function presage(name: string, build?: string): Promise<Side> {
  const folder = await copyOf(0);
  const side = { name, folder, server: await startPresage(folder.path, 'api,projections', {}, build) };
  await push(side, bodiesOf(0, BEFORE));
  for (let i = 0; i < TAIL; i++) await push(side, bodiesOf(BEFORE + i * PART, BEFORE + (i + 1) * PART));
  side.server.pause();
  return side;
}

const against = process.argv.find(arg => arg.startsWith('--against='))?.slice('--against='.length);
const sides = [...(against ? [await presage('the other build', against)] : []), await presage('this build')];
const times = sides.map(() => [] as number[]);
for (let round = 0; round < ROUNDS; round++)
  for (const [i, side] of sides.entries()) {
    const minute = BEFORE + TAIL * PART + round;
    side.server.resume();
    const before = cpuOf(side.server);
    await push(side, bodiesOf(minute, minute + 1));
    times[i]!.push((cpuOf(side.server) - before) / SIGNALS);
    side.server.pause();
  }
console.log(`One point to each of ${whole(SIGNALS)} signals, medians of ${ROUNDS} rounds`);
table(
  ['', 'processor time of a point in µs', ...(against ? ['of the other build'] : [])],
  sides.map(({ name }, i) => [
    name,
    whole(median(times[i]!)),
    ...(against ? [ratio(median(times[i]!.map((time, nth) => time / times[0]![nth]!)))] : []),
  ]),
);
for (const { server, folder } of sides) {
  await server.stop();
  folder.remove();
}
