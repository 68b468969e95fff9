import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { dataFolder, presage } from './presage.js';

const passengers = fileURLToPath(new URL('../../../examples/air-passengers.csv', import.meta.url));

type Answer = {
  readonly time: { readonly column: string; readonly format: string } | null;
  readonly values: readonly string[];
  readonly forecasts: readonly {
    readonly id: string;
    readonly step: string;
    readonly period: number;
    readonly filled_points: number;
    readonly points: readonly {
      readonly ts: string | number;
      readonly mean: number;
      readonly quantiles: Readonly<Record<string, number>>;
    }[];
  }[];
  readonly too_short: readonly string[];
};

suite('presage forecast', test => {
  const folder = dataFolder('files');
  mkdirSync(folder);
  let files = 0;
  const csv = (text: string | Uint8Array): string => {
    const file = join(folder, `series-${++files}.csv`);
    writeFileSync(file, text);
    return file;
  };
  const told = async (file: string, ...options: string[]): Promise<string> => {
    const { code, stdout, stderr } = await presage(['forecast', file, ...options], {});
    assert.is(code, 0, stderr);
    return stdout;
  };
  const asked = async (file: string, ...options: string[]): Promise<Answer> =>
    JSON.parse(await told(file, '--json', ...options)) as Answer;
  /** Lines of a table: a time of step i, and a value. */
  const lines = (count: number, timeOf: (i: number) => string, of: (i: number) => string | number) =>
    Array.from({ length: count }, (_, i) => `${timeOf(i)},${of(i)}\n`).join('');
  const iso = (ms: number): string => new Date(ms).toISOString();

  test('says what it guessed, and shows a year of months ahead with bands and a drawing', async () => {
    const text = await told(passengers);
    assert.match(text, /time {4}month \(YYYY-MM\)\n {2}value {3}passengers\n/);
    assert.match(text, /passengers: the next 12 steps of 1 month\n {2}from 144 values; a season of 12 steps/);
    assert.match(text, /\ntime {5}10% {2}25% {2}50% {2}75% {2}90%\n1961-01 {2}\d{3}/);
    assert.match(text, /\n1961-12 /);
    assert.match(text, /│.*•.*━/);
    assert.is(await told(passengers), text);
  });

  test('is near what came: the last year, from those before it', async () => {
    const rows = readFileSync(passengers, 'utf8').trim().split('\n');
    const actual = rows.slice(-12).map(row => Number(row.split(',')[1]));
    for (const model of ['nano', 'mini']) {
      const [only] = (await asked(csv(rows.slice(0, -12).join('\n')), '--model', model)).forecasts;
      const errors = only!.points.map(({ mean }, i) => Math.abs(mean / actual[i]! - 1));
      assert.ok(errors.reduce((sum, error) => sum + error, 0) / 12 < 0.1, `${model}: ${errors.join(' ')}`);
    }
  });

  test('draws it as SVG and PNG', async () => {
    const svg = join(folder, 'p.svg');
    const png = join(folder, 'p.png');
    await told(passengers, '--svg', svg, '--png', png, '--horizon', '24');
    assert.match(
      readFileSync(svg, 'utf8'),
      /<title>passengers<\/title>\n<desc>144 values of history and 24 steps/,
    );
    const image = readFileSync(png);
    assert.equal([image.toString('latin1', 1, 4), image.readUInt32BE(16)], ['PNG', 1680]);
  });

  test('never writes a picture over a file that is called otherwise', async () => {
    const file = csv('t,v\n2020-01-01,1\n');
    for (const kind of ['svg', 'png']) {
      const { code, stderr } = await presage(['forecast', `--${kind}`, file, file], {});
      assert.equal(
        [code, stderr],
        [2, `presage: --${kind} writes a file that ends in .${kind}, not '${file}'\n`],
      );
    }
    assert.is(readFileSync(file, 'utf8'), 't,v\n2020-01-01,1\n');
  });

  test('months, weeks, hours with gaps, and rows without times', async () => {
    const T0 = Date.UTC(2026, 0, 5);
    const wave = (period: number) => (i: number) =>
      Math.round(1_000 + 300 * Math.sin((2 * Math.PI * i) / period) + (i % 5));
    const ends = async (text: string, ...options: string[]) => {
      const [{ step, period, filled_points, points }] = (await asked(csv(text), ...options)).forecasts as [
        Answer['forecasts'][0],
      ];
      return [step, period, filled_points, points[0]!.ts, points.length];
    };
    const months = lines(
      60,
      i => `${2020 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-15`,
      wave(12),
    );
    assert.equal(await ends(`day,v\n${months}`), ['1 month', 12, 0, '2025-01-15T00:00:00.000Z', 12]);
    const weeks = lines(
      60,
      i => iso(T0 + i * 7 * 86_400_000).slice(0, 10),
      i => 5 + (i % 3),
    );
    assert.equal(await ends(`week,v\n${weeks}`, '--horizon', '3'), [
      '7 days',
      1,
      0,
      iso(T0 + 60 * 7 * 86_400_000),
      3,
    ]);
    const hours = lines(
      240,
      i => iso(T0 + i * 3_600_000),
      i => (i % 50 === 7 ? '' : wave(24)(i)),
    );
    assert.equal(await ends(`at,v\n${hours}`), ['1 hour', 24, 5, iso(T0 + 240 * 3_600_000), 24]);
    const rows = Array.from({ length: 70 }, (_, i) => `${wave(7)(i)}\n`).join('');
    assert.equal(await ends(rows, '--period', '7'), ['1 row', 7, 0, 71, 14]);
  });

  test('long and wide tables, other separators and decimals, from stdin too', async () => {
    const day = (i: number): string => iso(Date.UTC(2026, 0, 1 + i)).slice(0, 10);
    const long = Array.from({ length: 30 }, (_, i) =>
      ['Łódź', 'Rhein & Co'].map(shop => `${day(i)};${shop};${i},5;7\n`).join(''),
    );
    const file = csv(`\ufeffday;shop;sales;price\n${long.join('')}2026-01-01;new;1,0;7\n`);
    const { forecasts, too_short } = await asked(file, '--horizon', '2', '--quantiles', '0.9,0.1');
    assert.equal([forecasts.map(({ id }) => id), too_short], [['Łódź', 'Rhein & Co'], ['new']]);
    assert.equal(Object.keys(forecasts[0]!.points[0]!.quantiles), ['0.1', '0.5', '0.9']);
    for (const { points } of forecasts)
      for (const { quantiles, mean } of points) {
        assert.ok(quantiles['0.1']! <= mean && mean <= quantiles['0.9']!);
        assert.ok(mean > 20 && mean < 40, `a decimal comma was not read: ${mean}`);
      }
    const child = spawn(process.execPath, [
      fileURLToPath(new URL('../../cli/presage.js', import.meta.url)),
      'forecast',
      '-',
      '--json',
    ]);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.stdin.end(`when,a,b\n${lines(30, day, i => `${i},${100 - i}`)}`);
    assert.equal(await once(child, 'close'), [0, null]);
    assert.equal(
      (JSON.parse(said) as Answer).forecasts.map(({ id }) => id),
      ['a', 'b'],
    );
  });

  const short = 't,v\n2020-01-01,1\n2020-01-02,2\n';
  const faults: [string, string | Uint8Array | null, string[], RegExp][] = [
    ['a file that is not there', null, [], /nowhere\.csv is not there/],
    ['an empty file', '', [], /holds no rows/],
    ['no numbers', 'a,b\nx,y\n', [], /No column holds numbers/],
    ['an open quote', 'a,b\n"x,1\n', [], /Quote Not Closed.*line 2/],
    ['too few values', 't,v\n2020-01-01,1\n', [], /at least \d values are needed/],
    ['a column that is not there', short, ['--value', 'w'], /There is no column 'w'; there are t, v/],
    ['what is not UTF-8', Uint8Array.of(0x74, 0xff, 0x0a), [], /is not text in UTF-8/],
    ['a horizon of 0', short, ['--horizon', '0'], /'--horizon <steps>' argument '0' is invalid/],
    ['a level of 1', short, ['--quantiles', '0.5,1'], /numbers between 0 and 1/],
    ['another model', short, ['--model', 'maxi'], /Allowed choices are nano, mini/],
  ];
  for (const [what, text, options, message] of faults)
    test(`${what} is told by name, with exit code 2`, async () => {
      const file = text === null ? join(folder, 'nowhere.csv') : csv(text);
      const { code, stdout, stderr } = await presage(['forecast', file, ...options], {});
      assert.equal([code, stdout], [2, '']);
      assert.match(stderr, message);
    });

  test('a horizon beyond the model is refused; the folder of a platform is left alone', async () => {
    const { code, stderr } = await presage(['forecast', passengers, '--horizon', '721'], {
      DATA_DIR: join(folder, 'data'),
    });
    assert.equal([code, stderr], [2, 'presage: the horizon must be from 1 to 720 steps\n']);
    assert.not(existsSync(join(folder, 'data')));
  });
});
