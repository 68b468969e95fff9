import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { pngOf } from '../../../adapters/png.js';
import { bandsOf, recent, type ForecastPicture } from '../../../domain/drawing/picture.js';
import { lengthText, stepText } from '../../../domain/drawing/step-text.js';
import { svgOf } from '../../../domain/drawing/svg.js';
import { textPicture } from '../../../domain/drawing/text-picture.js';
import { fixed, months } from '../../../domain/maths/series/grid.js';
import { DAY, HOUR, MINUTE } from '../../../domain/time.js';
import { suite } from '../../suite.js';

const T0 = Date.UTC(2026, 2, 1);
/** A picture of some values with the medians of what is ahead, a day each, and two bands around them. */
function picture(values: readonly number[], ahead: readonly number[], more: Partial<ForecastPicture> = {}) {
  const at = (_: number, i: number): number => T0 + i * DAY;
  const off = (by: number): number[] => ahead.map(value => value + by);
  return {
    title: 'orders',
    note: 'by hand',
    axis: 'time',
    history: { times: values.map(at), values },
    median: { times: ahead.map((_, i) => T0 + (values.length + i) * DAY), values: ahead },
    bands: [
      { label: '80% band', low: off(-2), high: off(2) },
      { label: '50% band', low: off(-1), high: off(1) },
    ],
    ...more,
  } as const satisfies ForecastPicture;
}
const strokes = (svg: string, colour: string): string[] =>
  svg.match(new RegExp(`<path d="[^"]*"[^>]*stroke="${colour}"[^>]*stroke-width`, 'g')) ?? [];
const places = (path: string): number[][] =>
  [...path.matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
const HISTORY = '#333d47';

suite('pictures of forecasts', test => {
  test('hold every known value, in order, higher where it is more; gaps are bridged thinly', () => {
    const svg = svgOf([picture([1, 2, NaN, 4, NaN, 3], [3, 4])]);
    const [line] = strokes(svg, HISTORY).slice(-1);
    assert.equal(line!.match(/M/g)!.length, 3);
    const drawn = places(line!);
    assert.is(drawn.length, 4);
    const [one, two, four, three] = drawn as [number[], number[], number[], number[]];
    assert.ok(one[0]! < two[0]! && two[0]! < four[0]! && four[0]! < three[0]!);
    assert.ok(one[1]! > two[1]! && two[1]! > three[1]! && three[1]! > four[1]!);
    assert.is(places(/<path d="([^"]*)" [^>]*stroke="#b9c1c9"/.exec(svg)![1]!).length, 4);
    assert.is(
      svg.match(/fill-opacity="0\.(18|32)"\/>/g)!.length - 1,
      2,
      'two bands, and one patch of theirs',
    );
  });

  test('are the same for the same, one below the other for several, and say in words what they show', () => {
    const one = picture([1, 2, 3], [4, 5]);
    assert.is(svgOf([one]), svgOf([picture([1, 2, 3], [4, 5])]));
    const two = svgOf([one, picture([1], [2])]);
    assert.match(two, 'viewBox="0 0 840 760"');
    const words = '3 values of history and 2 steps of forecast; the median of the last step is 5, ';
    assert.match(two, `<desc>${words}80% band 3 to 7</desc>`);
  });

  test('whatever the values and the words: all lies within, and an image can be made of it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.double({ noNaN: true, min: -1e307, max: 1e307 }), fc.constantFrom(NaN, 0, 5)), {
          minLength: 1,
          maxLength: 30,
        }),
        fc.array(fc.double({ noNaN: true, min: -1e307, max: 1e307 }), { minLength: 1, maxLength: 12 }),
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.constantFrom('time', 'count'),
        async (values, ahead, title, axis) => {
          const counted = axis === 'count' && {
            history: { times: values.map((_, i) => i + 1), values },
            median: { times: ahead.map((_, i) => values.length + i + 1), values: ahead },
          };
          const drawn = picture(values, ahead, { title, note: title, axis, ...counted });
          const svg = svgOf([drawn]);
          assert.not.match(svg, /NaN|Infinity|undefined/);
          for (const [x, y] of places(svg))
            assert.ok(x! >= 0 && x! <= 840 && y! >= 0 && y! <= 380, `${x} ${y}`);
          const png = Buffer.from(await pngOf(svg, 0.25));
          assert.equal(
            [png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)],
            ['PNG', 210, 95],
          );
          const lines = textPicture(drawn, { rows: 8, columns: 40 });
          assert.is(lines.length, 8);
          assert.ok(lines.every(line => !line.includes('NaN')));
        },
      ),
      { numRuns: 40 },
    ));

  test('letters are drawn, in the font that comes with it', async () => {
    const with_ = await pngOf(svgOf([picture([1, 2], [3])]), 1);
    const without = await pngOf(svgOf([picture([1, 2], [3])]).replaceAll(/>orders</g, '><'), 1);
    assert.not.equal(Buffer.from(with_), Buffer.from(without));
  });

  test('in text: points, then a line in its shades', () => {
    const lines = textPicture(picture([0, 1, 2, 3], [3, 3]), { rows: 6, columns: 20 });
    assert.equal(
      lines,
      ['5.00 │     ░░', '     │     ▒▒', '3.00 │    •━━', '     │   • ▒▒', '     │  •  ░░', '0.00 │ •'].map(
        line => line,
      ),
    );
  });

  test('the widest and the narrowest of the bands that quantiles make', () => {
    const at = (...levels: number[]) =>
      bandsOf(levels.map(level => ({ level, values: [level] }))).map(({ label }) => label);
    assert.equal(at(0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95), ['90% band', '50% band']);
    assert.equal(at(0.1, 0.5, 0.9), ['80% band']);
    assert.equal(at(0.1, 0.5, 0.8), []);
    assert.equal(at(0.0125, 0.5, 0.9875), ['97.5% band']);
  });

  test('of a long history only what leaves the forecast room', () => {
    const line = { times: Float64Array.from({ length: 500 }, (_, i) => i), values: new Float64Array(500) };
    assert.equal([recent(line, 2).times.length, recent(line, 24).times[0]], [60, 500 - 144]);
  });

  test('times are as short as steps allow', () => {
    const at = Date.UTC(2026, 2, 1);
    assert.equal(
      [
        stepText(at, months(1)),
        stepText(Date.UTC(2026, 0, 1), months(12)),
        stepText(at + 14 * DAY, months(1)),
        stepText(at, fixed(7 * DAY)),
        stepText(at, fixed(HOUR)),
        stepText(at + 5_000, fixed(5_000)),
        stepText(at + 5, fixed(1)),
      ],
      [
        '2026-03',
        '2026',
        '2026-03-15',
        '2026-03-01',
        '2026-03-01 00:00',
        '2026-03-01 00:00:05',
        '2026-03-01 00:00:00.005',
      ],
    );
    assert.equal(
      [months(3), months(12), fixed(7 * DAY), fixed(90 * MINUTE), fixed(1), fixed(HOUR)].map(lengthText),
      ['3 months', '1 year', '7 days', '90 minutes', '1 millisecond', '1 hour'],
    );
  });
});
