import * as assert from 'uvu/assert';
import { strftime } from '../../../adapters/tables/strftime.js';
import { timeFormatFault, timeReader } from '../../../domain/ingestion/imports/times.js';
import { clockAt } from '../../../domain/local-time.js';
import { DAY, HOUR, MINUTE } from '../../../domain/time.js';
import { suite } from '../../suite.js';

const at = (text: string): number => Date.parse(text);

suite('times in files', test => {
  const cases: readonly [string | null, string, string, string | null][] = [
    [null, 'UTC', '2026-03-29T02:30:00', '2026-03-29T02:30:00Z'],
    [null, 'Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:00:00Z'],
    [null, 'Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30:00Z'],
    [null, 'Europe/Berlin', '2026-10-25 02:30+01:00', '2026-10-25T01:30:00Z'],
    [null, 'Europe/Berlin', '20261025T023000+0100', '2026-10-25T01:30:00Z'],
    [null, 'Europe/Berlin', '20261025T0230', '2026-10-25T00:30:00Z'],
    [null, 'Europe/Berlin', '2026-W27-3', '2026-06-30T22:00:00Z'],
    [null, 'UTC', '2026-001', null],
    [null, 'Europe/Berlin', '2026-07-01', '2026-06-30T22:00:00Z'],
    [null, 'Europe/Berlin', '1772323200', '2026-03-01T00:00:00Z'],
    [null, 'Europe/Berlin', '1772323200000', '2026-03-01T00:00:00Z'],
    [null, 'UTC', '12', null],
    ['DD/MM/YYYY', 'America/New_York', '08/03/2026 02:30', '2026-03-08T07:00:00Z'],
    ['%d.%m.%Y %H:%M', 'Asia/Kathmandu', '01.03.2026 00:00', '2026-02-28T18:15:00Z'],
    ['%Y-%m-%d', 'UTC', '2026-02-31', null],
    ['%Y-%m-%d %H:%M', 'UTC', '2026-02-28 25:00', null],
    ['%Y-%m-%d', 'UTC', '2026-02-28T00:00', null],
    ['%Y-%m-%dT%H:%M%Z', 'Europe/Berlin', '2026-03-01T00:00+0530', '2026-02-28T18:30:00Z'],
    ['%Y-%m-%dT%T%z', 'UTC', '2026-03-01T00:00:00-0130', '2026-03-01T01:30:00Z'],
    ['%F %R', 'Europe/Berlin', '2026-03-01 01:00', '2026-03-01T00:00:00Z'],
    ['%F', 'UTC', '2026-02-31', null],
    ['%s', 'Europe/Berlin', '1772323200', '2026-03-01T00:00:00Z'],
    ['%b %d, %Y', 'UTC', 'Mar 1, 2026', '2026-03-01T00:00:00Z'],
    ['%Y%%%m', 'Europe/Berlin', '2026%03', '2026-02-28T23:00:00Z'],
  ];
  for (const [format, zone, cell, expected] of cases)
    test(`'${cell}' as ${format ?? 'it is'} in ${zone} is ${expected}`, () => {
      const read = timeReader(format, zone, strftime)(cell);
      assert.is(read, expected === null ? null : at(expected));
    });

  test('formats that can read no time are named, and why', () => {
    const faults = [
      '%Q',
      '100%',
      'plain',
      '%d.%m.',
      '%%Y',
      '%Y-%m-%d',
      '%-d.%-m.%Y',
      '%s',
      '%c',
      'ISO 8601',
    ].map(timeFormatFault);
    const directives = 'must hold directives of strftime, as %Y-%m-%d %H:%M';
    const year = 'must name the year, as %Y does';
    assert.equal(faults, [directives, directives, directives, year, year, null, null, null, null, null]);
  });

  test('every minute around changes of clocks is what the clocks show, the first time they do', () => {
    for (const [zone, day] of [
      ['Europe/Berlin', '2026-03-29'],
      ['Europe/Berlin', '2026-10-25'],
      ['America/Havana', '2026-03-08'],
      ['America/Havana', '2026-11-01'],
      ['Australia/Lord_Howe', '2026-04-05'],
      ['Australia/Lord_Howe', '2026-10-04'],
      ['America/Sao_Paulo', '2018-11-04'],
      ['America/Sao_Paulo', '2018-02-18'],
    ] as const) {
      const shown = new Map<number, number>();
      const from = at(`${day}T00:00:00Z`);
      for (let time = from - 2 * DAY; time < from + 3 * DAY; time += MINUTE) {
        const local = clockAt(time, zone);
        if (!shown.has(local)) shown.set(local, time);
      }
      const read = timeReader('%Y-%m-%dT%H:%M', zone, strftime);
      for (let local = from - 12 * HOUR; local < from + 36 * HOUR; local += MINUTE) {
        // One that is not shown is the next that is
        let seen = local;
        while (!shown.has(seen)) seen += MINUTE;
        const cell = new Date(local).toISOString().slice(0, 16);
        assert.is(read(cell), shown.get(seen), `${zone} ${cell}`);
      }
    }
  });
});
