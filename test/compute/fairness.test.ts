import * as assert from 'uvu/assert';
import { Lanes } from '../../adapters/compute/lanes.js';
import { Overloaded } from '../../domain/maths/compute.js';
import { suite } from '../suite.js';
import { by, errorOf, gate, openPool } from './pool.js';

suite('compute pool: fairness', test => {
  test('workspaces take turns, whatever one of them has sent before', async () => {
    const pool = openPool();
    const door = gate();
    const order: string[] = [];
    const first = pool.run('wait', { until: door.until }, by('a'));
    const rest = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(name =>
      pool.run('same', name, by(name.charAt(0))).then(answer => order.push(String(answer))),
    );
    door.open();
    await Promise.all([first, ...rest]);
    assert.equal(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    await pool.close();
    door.remove();
  });

  test('with several workers the next free one goes to whom has none', async () => {
    const pool = openPool({ workers: 2 });
    const slow = gate();
    const quick = gate();
    const order: string[] = [];
    const note = (name: string) => (): void => {
      order.push(name);
    };
    const [held, freed] = [slow, quick].map(({ until }) => pool.run('wait', { until }, by('a')));
    const rest = [pool.run('same', 1, by('a')).then(note('a')), pool.run('same', 1, by('b')).then(note('b'))];
    quick.open();
    await Promise.all([freed, ...rest]);
    assert.equal(order, ['b', 'a']);
    slow.open();
    await held;
    await pool.close();
    for (const door of [slow, quick]) door.remove();
  });

  test('what has time leaves half of the workers to the others, and a turn where there is one', async () => {
    const pool = openPool({ workers: 3 });
    const doors = [gate(), gate(), gate()];
    const patient = doors.map(({ until }) => pool.run('wait', { until }, by('a', { patient: true })));
    assert.is(await pool.run('same', 1, by('b')), 1);
    assert.is(await pool.run('same', 2, by('a')), 2, 'of the same workspace, too');
    doors[1]!.open();
    doors[2]!.open();
    const isFirst = patient.slice(1).map(one => one.then(() => false));
    assert.ok(await Promise.race([...isFirst, pool.run('same', 3, by('b')).then(() => true)]));
    doors[0]!.open();
    await Promise.all(patient);
    await pool.close();
    const single = openPool();
    const order: string[] = [];
    const door = gate();
    const held = single.run('wait', { until: door.until }, by('a', { patient: true }));
    const rest = ['p1', 'p2', 'n1', 'n2'].map(name =>
      single
        .run('same', name, by('a', { patient: name.startsWith('p') }))
        .then(answer => order.push(String(answer))),
    );
    door.open();
    await Promise.all([held, ...rest]);
    assert.equal(order, ['p1', 'n1', 'p2', 'n2']);
    await single.close();
    for (const one of [...doors, door]) one.remove();
  });

  test('no workspace fills the queue for the others, and the queue has an end', async () => {
    const pool = openPool({ maxWaiting: 3, maxWaitingInLane: 2 });
    const door = gate();
    const atWork = pool.run('wait', { until: door.until }, by('a'));
    const ask = (lane: string) =>
      pool.run('same', lane, by(lane)).then(String, (error: unknown) => error instanceof Overloaded);
    const answers = ['a', 'a', 'a', 'b', 'c'].map(ask);
    assert.equal(await Promise.all([answers[2], answers[4]]), [true, true]);
    door.open();
    await atWork;
    assert.equal(await Promise.all([answers[0], answers[1], answers[3]]), ['a', 'a', 'b']);
    assert.is(await ask('c'), 'c');
    await pool.close();
    door.remove();
  });

  test('who goes away from the queue makes room', async () => {
    const pool = openPool({ maxWaiting: 1 });
    const door = gate();
    const caller = new AbortController();
    const atWork = pool.run('wait', { until: door.until }, by('a'));
    const waiting = errorOf(pool.run('same', 1, by('a', { signal: caller.signal })));
    assert.instance(await errorOf(pool.run('same', 2, by('b'))), Overloaded);
    caller.abort();
    await waiting;
    const next = pool.run('same', 3, by('b'));
    door.open();
    await atWork;
    assert.is(await next, 3);
    await pool.close();
    door.remove();
  });
});

suite('lanes', test => {
  const none = (): number => 0;

  test('an empty queue has nothing', () => assert.is(new Lanes().next(none), undefined));

  test('counts what waits, in all and in each lane', () => {
    const lanes = new Lanes<number>();
    lanes.add('a', 1);
    lanes.add('a', 2);
    lanes.add('b', 3);
    lanes.remove('a', 1);
    lanes.remove('a', 1);
    lanes.remove('c', 1);
    assert.equal([lanes.size, lanes.sizeOf('a'), lanes.sizeOf('b'), lanes.sizeOf('c')], [2, 1, 1, 0]);
    assert.equal([lanes.next(none), lanes.next(none), lanes.next(none), lanes.size], [2, 3, undefined, 0]);
  });

  test('what may not go now is passed over', () => {
    const lanes = new Lanes<number>();
    for (const item of [1, 2]) lanes.add('a', item);
    lanes.add('b', 3);
    const isEven = (item: number): boolean => item % 2 === 0;
    assert.equal([lanes.next(none, isEven), lanes.next(none, isEven), lanes.size], [2, undefined, 2]);
    assert.equal([lanes.next(none), lanes.next(none), lanes.size], [3, 1, 0]);
  });

  test('least at work first', () => {
    const lanes = new Lanes<string>();
    for (const lane of ['a', 'b', 'c']) lanes.add(lane, lane);
    assert.is(
      lanes.next(lane => ({ a: 2, b: 1, c: 1 })[lane] ?? 0),
      'b',
    );
  });
});
