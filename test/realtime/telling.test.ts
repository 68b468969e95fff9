import * as assert from 'uvu/assert';
import { Connection } from '../../api/realtime/connection.js';
import { hubOf } from '../../api/realtime/hub.js';
import { telling } from '../../api/realtime/telling.js';
import type { Fact } from '../../domain/fact.js';
import { inWorkspace, type FrameData, type Tells } from '../../domain/realtime/frame.js';
import { signalFrames } from '../../domain/signals/frames.js';
import { silent, startPlatform, temporaryFolder, until } from '../platform.js';
import { suite } from '../suite.js';
import { connect, type Told } from './client.js';
import { pair } from './pair.js';

const factAt = (position: number, data: object, type = 'Happened'): Fact => ({
  ...{ type, data, id: String(position), at: position, journal: 'j', revision: 0, position },
  meta: { workspace: 'w', actor: 'a', request: null, correlation: 'c', causation: null },
});

suite('telling facts', test => {
  /** A hub with one client that listens to the workspace `w`. */
  async function listening() {
    const { client, socket, close } = await pair();
    const told: Told[] = [];
    client.on('message', data => told.push(JSON.parse(String(data))));
    const hub = hubOf();
    const connection = new Connection('c', '', socket, hub.tally, 0);
    hub.join(connection, { tokenId: 'tok_1', uid: 'usr_1' });
    hub.listen(connection, 'workspace:w', 'owner');
    return { hub, told, close };
  }

  test('waits until the read models hold a fact; what cannot be looked up leaves a gap in seq', async () => {
    const { hub, told, close } = await listening();
    let shown = (): void => undefined;
    const asked: number[] = [];
    const tells: Tells = {
      event: 'it.happened',
      channels: inWorkspace,
      async data({ data, position }: Fact<{ readonly type: string; readonly data: { readonly n: number } }>) {
        asked.push(position);
        if (data.n === 2) throw new Error('no answer');
        return data.n === 3 ? null : { n: data.n };
      },
    };
    const held = (position: number) =>
      position > 20 ? new Promise<void>(resolve => (shown = resolve)) : Promise.resolve();
    const telled = telling({ hub, tellers: [{ of: { Happened: tells }, shown: held }], log: silent });
    const page = Array.from({ length: 25 }, (_, i) => factAt(i + 1, { n: i + 1 }));
    const done = telled.took([factAt(0, {}, 'Unknown'), ...page]);
    await until(async () => told.length === 18, 'those that can be read');
    assert.is(Math.max(...asked), 20);
    shown();
    await done;
    await until(async () => told.length === 23, 'all of them');
    // Of 25 the second could not be told, which shows; of the third there was nothing to tell
    const seqs = [1, ...Array.from({ length: 22 }, (_, i) => i + 3)];
    assert.equal(
      told.map(({ seq, data, at }) => [seq, data['n'], Date.parse(at)]),
      seqs.map(seq => (seq === 1 ? [1, 1, 1] : [seq, seq + 1, seq + 1])),
    );
    assert.equal(hub.tally, { sent: 23, dropped: 1 });
    close();
  });

  test('asks for nothing where nobody listens', async () => {
    const { hub, close } = await listening();
    const refusing = () => {
      throw new Error('asked');
    };
    const tells: Tells = { event: 'x', channels: () => ['workspace:other'], data: refusing };
    await telling({ hub, tellers: [{ of: { Happened: tells }, shown: refusing }], log: silent }).took([
      factAt(1, {}),
    ]);
    close();
  });

  test('signals within a second are told together, at most 100 keys in a frame', () => {
    const { data, gathered } = signalFrames['PointsRecorded']!;
    const together = gathered!();
    const points = (from: number, count: number) => ({ from, steps: 1_000, values: Array(count).fill(1) });
    for (let i = 0; i < 250; i++)
      together.add(data(factAt(i, { key: `k${i % 125}`, points: points(i, 2) }) as Fact<never>) as FrameData);
    together.add(data(factAt(300, { key: 'gone' }, 'SignalDeleted') as Fact<never>) as FrameData);
    const frames = together.frames();
    assert.equal(
      frames.map(({ keys, count, last_at }) => [(keys as string[]).length, count, last_at]),
      [
        [100, 400, '1970-01-01T00:00:01.224Z'],
        [26, 100, '1970-01-01T00:00:01.249Z'],
      ],
    );
    assert.is(new Set(frames.flatMap(({ keys }) => keys as string[])).size, 126);
    const alone = gathered!();
    alone.add(data(factAt(301, { key: 'gone' }, 'SignalDeleted') as Fact<never>) as FrameData);
    assert.equal(alone.frames(), [{ keys: ['gone'], count: 0, last_at: null }]);
  });

  test('the first is told at once, what follows within a second after it together', async () => {
    const folder = temporaryFolder();
    const api = await startPlatform(folder.path, { running: ['api', 'projections'] });
    const client = await connect(api.base, { token: api.installed.token });
    await client.subscribe(`workspace:${api.installed.workspaceId}`);
    for (let i = 0; i < 20; i++)
      await api.call('POST', '/v1/signal/push', {
        body: { key: `k${i % 3}`, value: i, timestamp: 1_770_000_000 + i },
      });
    const counted = () => client.told().reduce((sum, { data }) => sum + Number(data['count']), 0);
    await until(async () => counted() === 20, 'all points');
    const [first, ...others] = client.told();
    assert.equal(first!.data, { keys: ['k0'], count: 1, last_at: '2026-02-02T02:40:00.000Z' });
    assert.ok(others.length < 19, `${others.length} further frames`);
    assert.equal(
      client.told().map(({ seq }) => seq),
      client.told().map((_, i) => i + 1),
    );
    await client.end();
    await api.stop();
    folder.remove();
  });
});
