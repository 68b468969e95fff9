import { Agent, request } from 'node:http';
import * as assert from 'uvu/assert';
import { eventIdOf } from '../../commands/events/ids.js';
import type { Account } from '../cli/presage.js';
import type { Random } from '../random.js';
import { stateOf, type Contested, type Effect, type Ledger } from './ledger.js';
import type { Json } from '../json.js';
import { PATIENCE_MS } from '../patience.js';

export type Answer = { readonly status: number; readonly text: string; readonly json: Json };
/** One connection; rejects when it breaks, or when there is no answer. */
type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;
export type Connection = { readonly call: Call; readonly close: () => void };

export function connectionTo(base: string, { token, workspace }: Account): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}`, 'x-workspace-id': workspace };
  return {
    close: () => agent.destroy(),
    call: (method, path, body) =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? '' : JSON.stringify(body);
        const req = request(base + path, {
          agent,
          method,
          timeout: PATIENCE_MS,
          headers: {
            ...headers,
            ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        });
        req.on('error', reject).on('timeout', () => req.destroy(new Error(`no answer to ${method} ${path}`)));
        req.on('response', res => {
          const chunks: Buffer[] = [];
          res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
          res.on('end', () => {
            const answer = Buffer.concat(chunks).toString();
            resolve({ status: res.statusCode!, text: answer, json: answer ? JSON.parse(answer) : null });
          });
        });
        req.end(text);
      }),
  };
}

export const HOT = 'hot',
  CONTESTED = 'contested/%';
export const ownKey = (client: number): string => `own ${client}`;

export type Client = {
  readonly number: number;
  readonly connection: Connection;
  readonly random: Random;
  readonly workspace: string;
  readonly ledger: Ledger;
  readonly contested: Contested;
  readonly contestedPoints: Contested;
  /** Unique within the run, for texts and names. */
  readonly tag: () => string;
  /** Events of the round that all clients record. */
  readonly shared: readonly string[];
  readonly count: (what: 'acknowledged' | 'unanswered') => void;
};

type Event = {
  readonly key: string;
  readonly text: string;
  readonly occurred_at: number;
  readonly value?: number;
};
const idOf = ({ workspace }: Client, { key, occurred_at, text }: Event) =>
  eventIdOf(workspace, key, occurred_at, text);
const recorded = (client: Client, event: Event): Effect => ({
  id: idOf(client, event),
  key: event.key,
  state: stateOf(event.text, event.value ?? null),
});

/** Makes one request after the other, of all kinds, until the connection breaks. */
export async function work(client: Client, acts: Acts): Promise<void> {
  for (;;) {
    const act = choose(client.random, acts);
    try {
      await act(client);
    } catch (error) {
      if (error instanceof assert.Assertion) throw error;
      client.count('unanswered');
      return;
    }
    client.count('acknowledged');
  }
}

type Act = (client: Client) => Promise<void>;
export type Acts = readonly (readonly [weight: number, act: Act])[];

function choose(random: Random, acts: Acts): Act {
  let left = random.below(acts.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, act] of acts) {
    if (left < weight) return act;
    left -= weight;
  }
  throw new Error('the weights are more than their sum');
}

/** Sends a request whose effects are known, and looks, now and then, whether they can be seen at once. */
async function send(
  client: Client,
  effects: readonly Effect[],
  status: number,
  ...[method, path, body]: Parameters<Call>
) {
  client.ledger.sent(effects);
  const answer = await client.connection.call(method, path, body);
  assert.is(answer.status, status, `${method} ${path}: ${answer.text}`);
  client.ledger.acknowledged(effects);
  if (effects.length > 0 && client.random.chance(0.2)) await look(client, client.random.pick(effects));
  return answer;
}

async function look({ connection }: Client, { id, state }: Effect): Promise<void> {
  const { status, text, json } = await connection.call('GET', `/v1/event/${id}`);
  const seen = status === 404 ? null : stateOf(json.data.name, json.data.value);
  assert.is(seen, state, `${id} right after it was answered: ${text}`);
}

const past = (random: Random) => 1_700_000_000_000 + random.below(1_000_000) * 1_000;
const fresh = ({ tag, random }: Client, key: string): Event => ({
  key,
  text: `Strike at the port ${tag()}`,
  occurred_at: past(random),
});
const AGAIN = 1_750_000_000_000;
const record = (client: Client, event: Event) =>
  send(client, [recorded(client, event)], 200, 'POST', '/v1/event/record', event);

/** An own event that is certainly there, if one can be found. */
function anOwn(client: Client): string | null {
  const ids = client.ledger.idsOf(ownKey(client.number));
  const id = ids.length > 0 ? client.random.pick(ids) : null;
  return id !== null && client.ledger.certain(id) ? id : null;
}

export const eventActs: Acts = [
  [
    30,
    async client => {
      await record(client, fresh(client, client.random.chance(0.5) ? HOT : ownKey(client.number)));
    },
  ],
  [
    10,
    async client => {
      await record(client, { key: HOT, text: client.random.pick(client.shared), occurred_at: AGAIN });
    },
  ],
  [
    6,
    async client => {
      const value = client.random.below(5);
      const event = { key: ownKey(client.number), text: 'always', occurred_at: AGAIN, value };
      const before = client.ledger.certain(idOf(client, event));
      if (before === undefined) return;
      // A name that was given since stays: this says nothing new of it
      const name = before === null ? 'always' : (JSON.parse(before) as [string])[0];
      const effect = { ...recorded(client, event), state: stateOf(name, value) };
      await send(client, [effect], 200, 'POST', '/v1/event/record', event);
    },
  ],
  [
    8,
    async client => {
      const occurred_at = Date.now() + 100 + client.random.below(1_900);
      await record(client, { key: HOT, text: `Scheduled ${client.tag()}`, occurred_at });
    },
  ],
  [
    10,
    async client => {
      const { random, number } = client;
      const keys = Array.from({ length: 2 + random.below(20) }, () =>
        random.chance(0.3) ? HOT : ownKey(number),
      );
      const events = keys.map(key => fresh(client, key));
      const effects = events.map(event => recorded(client, event));
      const { json } = await send(client, effects, 201, 'POST', '/v1/event/record-batch', { events });
      assert.equal(
        json.data.events.map((e: { event_id: string }) => e.event_id),
        events.map(event => idOf(client, event)),
      );
    },
  ],
  [
    12,
    async client => {
      const id = anOwn(client);
      if (id === null) return;
      const [, value] = JSON.parse(client.ledger.certain(id)!) as [string, number | null];
      const name = `renamed ${client.tag()}`;
      const effect = { id, key: ownKey(client.number), state: stateOf(name, value) };
      await send(client, [effect], 200, 'PATCH', `/v1/event/${id}`, { name });
    },
  ],
  [
    8,
    async client => {
      const id = anOwn(client);
      if (id !== null)
        await send(
          client,
          [{ id, key: ownKey(client.number), state: null }],
          200,
          'DELETE',
          `/v1/event/${id}`,
        );
    },
  ],
  [
    2,
    async client => {
      const key = ownKey(client.number);
      const effects = client.ledger.idsOf(key).map(id => ({ id, key, state: null }));
      const certain = effects.every(({ id }) => client.ledger.certain(id) !== undefined);
      const { json } = await send(
        client,
        effects,
        200,
        'DELETE',
        `/v1/event/streams/${encodeURIComponent(key)}`,
      );
      if (certain) assert.is(json.data.deleted, effects.length, `events deleted with ${key}`);
    },
  ],
  [
    8,
    async client => {
      const event = fresh(client, CONTESTED);
      const span = client.contested.sent(idOf(client, event));
      assert.is((await client.connection.call('POST', '/v1/event/record', event)).status, 200);
      client.contested.acknowledged(span);
    },
  ],
  [
    1,
    async ({ contested, connection }) => {
      const span = contested.sent(null);
      assert.is(
        (await connection.call('DELETE', `/v1/event/streams/${encodeURIComponent(CONTESTED)}`)).status,
        200,
      );
      contested.acknowledged(span);
    },
  ],
];
