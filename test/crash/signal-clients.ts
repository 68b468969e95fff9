import * as assert from 'uvu/assert';
import type { Acts, Client, Connection } from './clients.js';
import type { Effect, State } from './ledger.js';

export const HOT_SIGNAL = 'hot.signal',
  CONTESTED_SIGNAL = 'contested/signal%';
export const ownSignal = (client: number): string => `own.${client}__e`;

type Point = { readonly key: string; readonly time: number; readonly value: number };
export const inLedger = (key: string): string => `signal ${key}`;
const idOf = (key: string, time: number): string => `${key} at ${time}`;
const effectOf = ({ key, time, value }: Point): Effect => ({
  id: idOf(key, time),
  key: inLedger(key),
  state: String(value),
});

const T0 = 1_700_000_000_000;
/** Times of their own, some later than all that there are and some between them. */
const fresh = ({ tag, random }: Client, key: string): Point => ({
  key,
  time: T0 + Number(tag()) * 1_000 * (random.chance(0.7) ? 1 : -1),
  value: random.below(1_000) / 8,
});

type Numbers = { readonly accepted: number; readonly revised: number; readonly duplicates: number };

/** Sends points, the last of a time counting, and looks now and then whether they can be seen at once. */
async function push(client: Client, points: readonly Point[]): Promise<Numbers> {
  const { ledger, connection, random } = client;
  const effects = [...new Map(points.map(point => [idOf(point.key, point.time), effectOf(point)])).values()];
  const [{ key }] = points as [Point];
  const alike = points.every(point => point.key === key);
  const body =
    alike && random.chance(0.5)
      ? { key, values: points.map(({ time, value }) => [time, value]) }
      : { points: points.map(point => ({ key: point.key, value: point.value, timestamp: point.time })) };
  ledger.sent(effects);
  const { status, text, json } = await connection.call('POST', '/v1/signal/push', body);
  assert.is(status, 200, text);
  ledger.acknowledged(effects);
  if (random.chance(0.2)) await look(client, random.pick(points));
  return json.data as Numbers;
}

async function look({ connection, ledger }: Client, { key, time }: Point): Promise<void> {
  const { status, text, json } = await connection.call(
    'GET',
    `/v1/signal/points?key=${encodeURIComponent(key)}&from=${time}&to=${time}`,
  );
  assert.is(status, 200, text);
  assert.equal(
    json.data.points,
    [[time, Number(ledger.certain(idOf(key, time)))]],
    `${key} at ${time} right after it was answered`,
  );
}

/** Points of an own signal that are certainly there. */
function certain({ ledger, number, random }: Client, most: number): Point[] {
  const key = ownSignal(number);
  const ids = ledger.idsOf(inLedger(key));
  const from = random.below(Math.max(1, ids.length - most));
  return ids.slice(from, from + most).flatMap(id => {
    const state = ledger.certain(id);
    return state ? [{ key, time: Number(id.slice(id.lastIndexOf(' ') + 1)), value: Number(state) }] : [];
  });
}

const numbers = ({ accepted, revised, duplicates }: Numbers) => [accepted, revised, duplicates];

export const signalActs: Acts = [
  [
    20,
    async client => {
      const key = client.random.chance(0.5) ? HOT_SIGNAL : ownSignal(client.number);
      const points = Array.from({ length: 1 + client.random.below(40) }, () => fresh(client, key));
      assert.equal(numbers(await push(client, points)), [points.length, 0, 0]);
    },
  ],
  [
    8,
    async client => {
      const key = () => (client.random.chance(0.5) ? HOT_SIGNAL : ownSignal(client.number));
      const points = Array.from({ length: 1 + client.random.below(20) }, () => fresh(client, key()));
      const [point] = points as [Point];
      const again = { ...point, value: point.value + 1 };
      assert.equal(numbers(await push(client, [...points, again])), [points.length + 1, 1, 0]);
    },
  ],
  // What was acknowledged is there: nothing of it is new
  [
    12,
    async client => {
      const points = certain(client, 30);
      if (points.length > 0) assert.equal(numbers(await push(client, points)), [0, 0, points.length]);
    },
  ],
  [
    12,
    async client => {
      const points = certain(client, 1 + client.random.below(10)).map(point => ({
        ...point,
        value: point.value + 0.5,
      }));
      if (points.length > 0)
        assert.equal(numbers(await push(client, points)), [points.length, points.length, 0]);
    },
  ],
  [
    6,
    async ({ connection, number, tag, random }) => {
      const key = ownSignal(number);
      const [path, body] = random.pick([
        ['display-name', { key, name: tag() }],
        ['units/assign', { keys: [key], unit: random.pick(['EUR', '']) }],
        ['groups/assign', { keys: [key], group: tag() }],
        ['groups/unassign', { keys: [key] }],
      ] as const);
      const { status, text } = await connection.call('POST', `/v1/signal/${path}`, body);
      assert.ok(status === 200 || status === 404, text);
    },
  ],
  [
    3,
    async ({ connection, ledger, number }) => {
      const key = ownSignal(number);
      const effects = ledger.idsOf(inLedger(key)).map(id => ({ id, key: inLedger(key), state: null }));
      const sure = effects.every(({ id }) => ledger.certain(id) !== undefined);
      ledger.sent(effects);
      const { status, text, json } = await connection.call('POST', '/v1/signal/delete', { keys: [key] });
      assert.is(status, 200, text);
      ledger.acknowledged(effects);
      if (sure) assert.is(json.data.deleted_points, effects.length, `points deleted with ${key}`);
    },
  ],
  [
    8,
    async client => {
      const { time, value } = fresh(client, CONTESTED_SIGNAL);
      const span = client.contestedPoints.sent(idOf(CONTESTED_SIGNAL, time));
      assert.is(
        (
          await client.connection.call('POST', '/v1/signal/push', {
            key: CONTESTED_SIGNAL,
            value,
            timestamp: time,
          })
        ).status,
        200,
      );
      client.contestedPoints.acknowledged(span);
    },
  ],
  [
    1,
    async ({ contestedPoints, connection }) => {
      const span = contestedPoints.sent(null);
      assert.is(
        (await connection.call('POST', '/v1/signal/delete', { keys: [CONTESTED_SIGNAL] })).status,
        200,
      );
      contestedPoints.acknowledged(span);
    },
  ],
];

/**
 * All points of a signal as a reader finds them, by what the ledger calls them; a point that comes twice is
 * an error.
 */
export async function pointsOf({ call }: Connection, key: string): Promise<Map<string, State>> {
  const found = new Map<string, State>();
  for (let more = ''; ; ) {
    const { status, text, json } = await call(
      'GET',
      `/v1/signal/points?key=${encodeURIComponent(key)}&limit=10000&sort_order=asc${more}`,
    );
    if (status === 404) return found;
    assert.is(status, 200, text);
    for (const [time, value] of json.data.points as [number, number][]) {
      assert.not(found.has(idOf(key, time)), `${key} has its point at ${time} twice`);
      found.set(idOf(key, time), String(value));
    }
    assert.ok(
      json.data.has_more || found.size === json.data.count,
      `${key} has ${found.size} points and counts ${json.data.count}`,
    );
    if (!json.data.has_more) return found;
    more = `&cursor=${json.data.next_cursor}`;
  }
}
