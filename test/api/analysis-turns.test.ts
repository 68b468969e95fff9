import * as assert from 'uvu/assert';
import { sourcesOf } from '../../api/signals/analysis-data.js';
import { aPush, signalsWorld } from '../projections/signals-world.js';
import { suite } from '../suite.js';

const POINTS = 20_000;

suite('the points of an analysis', test => {
  test('are read with turns for others', async () => {
    const { commands, context, project, queries } = await signalsWorld({ leafPoints: 1_000 });
    await commands.push(
      'w',
      [
        aPush(
          'long',
          Array.from({ length: POINTS }, (_, n) => [n, n]),
        ),
      ],
      context('w'),
    );
    await project();
    const place = { workspace: 'w', key: 'long' };
    const subject = { type: 'signal', key: 'long', place, at: 1, last: POINTS } as const;
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    const [source] = await sourcesOf(
      { signals: queries },
      'w',
      { all: [subject], version: '1' },
      { from: 0, to: POINTS, steps: POINTS, common: false },
      new AbortController().signal,
    );
    clearImmediate(next);
    assert.is(source!.type === 'signal' && source!.series.times.length, POINTS);
    assert.ok(turns >= POINTS / 1_000, `${turns} turns`);
  });
});
