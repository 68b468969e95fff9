import * as assert from 'uvu/assert';
import { randomOf, seedFrom } from '../random.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { connect } from './client.js';
import { frame, wire } from './wire.js';

// Hostile clients, many at once: bytes that are no frames, frames that are no JSON, JSON that is no frame of
// ours, and right ones between. Whatever they send ends in an answer or with a code that the page names; who
// listens beside them misses nothing, and nothing of them is left. `FUZZ_SEED` to see the same again.

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 400);
const AT_ONCE = 16;
const CODES = [null, 1000, 1002, 1005, 1007, 1008, 4400, 4403, 4413, 4429];

suite('the realtime gateway under random frames', test => {
  const folder = temporaryFolder();
  const seed = seedFrom('FUZZ_SEED');
  const { below, pick: oneOf } = randomOf(seed);
  const logged: unknown[] = [];
  let api: Running;
  let channel: string;
  test.before(async () => {
    api = await startPlatform(folder.path, { running: ['api', 'projections'] });
    api.platform.log.error = (data: object) => logged.push(data);
    channel = `workspace:${api.installed.workspaceId}`;
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256)));
  const value = (depth = 0): unknown => {
    const plain = [
      null,
      true,
      -1,
      1e308,
      '',
      'ref',
      channel,
      'workspace:',
      'user:__proto__',
      '\u2028\0',
      '𝄞',
    ];
    const nested = [
      () => Array.from({ length: below(5) }, () => value(depth + 1)),
      () => ({ type: oneOf(['ping', 'auth', 'subscribe', 'unsubscribe']), channels: value(depth + 1) }),
      () => JSON.parse('{"__proto__": 1, "constructor": []}'),
    ];
    return depth > 3 || below(2) ? oneOf(plain) : oneOf(nested)();
  };
  const json = (): string =>
    JSON.stringify({
      type: oneOf(['ping', 'subscribe', 'unsubscribe', 'auth', 'event', value()]),
      ...(below(2) && { channels: oneOf([[channel], [value()], value(), Array(300).fill(channel)]) }),
      ...(below(2) && { ref: value(), token: value() }),
    });
  const mutated = (text: string): Buffer => {
    const all = Buffer.from(text);
    for (let i = below(4); i > 0; i--) all[below(all.length)] = below(256);
    return all;
  };
  const sent: readonly (() => Buffer)[] = [
    () => bytes(1 + below(300)),
    () =>
      frame({
        opcode: below(16),
        payload: bytes(below(200)),
        fin: below(4) > 0,
        reserved: below(8) && below(2),
      }),
    () => frame({ opcode: 1, payload: mutated(json()) }),
    () => frame({ opcode: 1, payload: mutated(json()).subarray(0, below(60)), fin: below(2) > 0 }),
    ...Array.from({ length: 6 }, () => () => frame({ opcode: 1, payload: json() })),
    () => frame({ opcode: 1, payload: '['.repeat(below(60_000)) }),
    () => frame({ opcode: 2, payload: bytes(below(70_000)) }),
  ];

  test(`answers or ends each (seed ${seed})`, async () => {
    const people = api.platform.areas.identity.tokens;
    const operator = { workspace: null, actor: 'operator', request: null, correlation: 'c', causation: null };
    const tokens: string[] = [];
    for (let i = 0; i < AT_ONCE; i++) {
      const wanted = { name: 't', scopes: ['workspaces.read'] as const, workspaceIds: null, expiresAt: null };
      const context = { ...operator, at: Date.now() };
      const made = await people.create(api.installed.uid, wanted, null, context);
      await api.platform.visible(made.position);
      tokens.push(made.value);
    }
    const listening = await connect(api.base, { token: api.installed.token });
    await listening.subscribe(channel);
    let left = RUNS;
    let recorded = 0;
    const ended = new Map<number | null, number>();
    const torment = async (token: string): Promise<void> => {
      while (left-- > 0) {
        const connection = await wire(api.base, token);
        const kinds = below(2) ? sent : sent.slice(4, 10);
        for (let i = 1 + below(40); i > 0 && !connection.isGone(); i--) connection.write(oneOf(kinds)());
        connection.write(frame({ opcode: 1, payload: '{"type":"ping","ref":"last"}' }));
        if (below(2)) connection.write(frame({ opcode: 8 }));
        if (left % 20 === 0) {
          const body = { key: `k${recorded++}`, text: 'Strike' };
          assert.is((await api.call('POST', '/v1/event/record', { body })).status, 200);
        }
        connection.finish();
        const code = await connection.code();
        assert.ok(CODES.includes(code), `ended with ${code}`);
        ended.set(code, (ended.get(code) ?? 0) + 1);
      }
    };
    await Promise.all(tokens.map(torment));
    await until(async () => listening.told().length === recorded, `${recorded} events`);
    assert.equal(
      listening.told().map(({ seq }) => seq),
      Array.from({ length: recorded }, (_, i) => i + 1),
    );
    for (const code of [null, 1002, 4400]) assert.ok((ended.get(code) ?? 0) > 0, `some end with ${code}`);
    const [connections] = api.platform.areas.realtime.figures;
    await until(async () => (await connections!.look())[0]![1] === 1, 'their end');
    assert.equal(logged, []);
    await listening.end();
  });
});
