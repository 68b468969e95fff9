import * as assert from 'uvu/assert';
import { Connection } from '../../api/realtime/connection.js';
import { guard } from '../../api/realtime/guard.js';
import { hubOf } from '../../api/realtime/hub.js';
import type { Fact } from '../../domain/fact.js';
import type { Channel } from '../../domain/realtime/frame.js';
import { silent } from '../platform.js';
import { suite } from '../suite.js';
import { pair } from './pair.js';

suite('who is looked at again, and who is found', test => {
  const ends: (() => void)[] = [];
  test.after(() => ends.forEach(end => end()));

  const world = async () => {
    const hub = hubOf();
    const { socket, close } = await pair();
    ends.push(close);
    const arrived = (address = '10.0.0.1') => {
      const connection = new Connection(`con_${address}`, address, socket, hub.tally, 0);
      hub.arrive(connection);
      return connection;
    };
    const joined = (tokenId: string, uid: string, ...channels: Channel[]) => {
      const connection = arrived();
      hub.join(connection, { tokenId, uid });
      for (const channel of channels) hub.listen(connection, channel, 'viewer');
      return connection;
    };
    return { hub, arrived, joined };
  };
  let position = 0;
  const changed = (kind: string, groupId: string): Fact => ({
    ...{ id: 'f', type: 'GroupChanged', data: { kind, groupId, changes: {} }, at: 0 },
    ...{ journal: `${kind}-${groupId}`, revision: 0, position: position++ },
    meta: { workspace: null, actor: 'a', request: null, correlation: 'c', causation: null },
  });

  test('what a group asks for concerns those who listen to it, and nobody else', async () => {
    const { hub, joined } = await world();
    const members = joined('t1', 'u1', 'workspace:a', 'user:u1');
    const others = joined('t2', 'u2', 'workspace:b', 'workspace:c');
    const strangers = joined('t3', 'u3', 'workspace:z');
    const { took } = guard({
      hub,
      rights: { caller: async () => assert.unreachable(), answers: async () => assert.unreachable() },
      known: async () => undefined,
      workspacesOf: async organization => (organization === 'o' ? ['a', 'b'] : []),
      clock: () => 0,
      log: silent,
    });
    const looked = async (fact: Fact) => {
      const all = [members, others, strangers];
      for (const each of all) each.checkedAt = 7;
      await took([fact]);
      return all.map(({ checkedAt }) => checkedAt !== 7);
    };
    assert.equal(await looked(changed('organization', 'o')), [true, true, false]);
    assert.equal(await looked(changed('workspace', 'c')), [false, true, false]);
    assert.equal(await looked(changed('organization', 'p')), [false, false, false]);
  });

  test('by token, user and address, while it is there', async () => {
    const { hub, arrived, joined } = await world();
    const [one, two, three] = [joined('t1', 'u1'), joined('t1', 'u1'), joined('t2', 'u1')];
    assert.equal([hub.ofToken('t1').length, hub.ofToken('t2').length, hub.ofUser('u1').length], [2, 1, 3]);
    two.gone();
    three.gone();
    assert.equal([hub.ofToken('t1'), hub.ofToken('t2'), hub.ofUser('u1')], [[one], [], [one]]);
    const waiting = [arrived('10.0.0.2'), arrived('10.0.0.2'), arrived('2001:db8:1:2::3')];
    arrived('2001:db8:1:2:4::5');
    const at = () => ['10.0.0.1', '10.0.0.2', '2001:db8:1:2::9'].map(hub.waitingAt);
    assert.equal(at(), [0, 2, 2]);
    hub.join(waiting[0]!, { tokenId: 't9', uid: 'u9' });
    waiting[2]!.gone();
    assert.equal(at(), [0, 1, 1]);
  });
});
