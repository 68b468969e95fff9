import * as assert from 'uvu/assert';
import { barAt } from '../../commands/shocks/qualifying.js';
import { HOUR } from '../../domain/time.js';
import { History, NOW, qualify } from '../domain/shocks/given.js';
import { suite } from '../suite.js';

/** Events of every stream: of the hours before, those that came later by far the most important. */
const events = [
  ...Array.from({ length: 20 }, (_, h) => ({ at: NOW - (h + 1) * HOUR, importance: 0.7 })),
  ...Array.from({ length: 20 }, (_, h) => ({ at: NOW + h, importance: 0.94 })),
];
const importances = async (_: string, __: string, from: number, to: number): Promise<number[]> =>
  events.filter(({ at }) => at >= from && at < to).map(({ importance }) => importance);
const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

suite('the bar of importance', test => {
  const later = NOW + HOUR;
  const bar = (history: History, stream: string, given: number | null = null): Promise<number> =>
    barAt({ importances }, 'w', given, history.state, stream, later);

  test('in no shock goes by all events before', async () => {
    near(await bar(new History(), 'news'), 0.94);
    near(await bar(new History(), 'news', 0.3), 0.3);
  });

  test('in a shock is that of its entry', async () => {
    const history = new History();
    history.does(qualify({ occurredAt: NOW, importance: 0.94 }, NOW + 30_000));
    near(history.episode!.bar, 0.6);
    near(await bar(history, 'news'), 0.6);
    near(await bar(history, 'news', 0.3), 0.3);
  });

  test('in a shock goes for another stream by what was before the event that began it', async () => {
    const history = new History();
    history.does(qualify({ occurredAt: NOW, importance: 0.94 }, NOW + 30_000));
    near(await bar(history, 'orders'), 0.7);
  });
});
