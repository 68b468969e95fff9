import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { deliveriesOf, endOfQuiet, isQuiet } from '../../../domain/notifications/delivering.js';
import { nextAt } from '../../../domain/local-time.js';
import { defaultPreferences, type Preferences } from '../../../domain/notifications/preferences.js';
import { DAY, MINUTE } from '../../../domain/time.js';
import { suite } from '../../suite.js';

const channels = [
  { channelId: 'chn_mail', type: 'email' },
  { channelId: 'chn_hook', type: 'webhook' },
  { channelId: 'chn_slack', type: 'slack' },
] as const;
const NOON = Date.parse('2026-01-14T12:00:00Z');
const asked = {
  ...{ notificationId: 'ntf_1', kind: 'deployment.degraded', data: {}, channels, timezone: 'UTC' },
  ...{ preferences: defaultPreferences, now: NOON },
};
const over = (preferences: Partial<Preferences>, more: object = {}) =>
  deliveriesOf({ ...asked, preferences: { ...defaultPreferences, ...preferences }, ...more });
const reached = (preferences: Partial<Preferences>, more: object = {}) => {
  const { inApp, deliveries } = over(preferences, more);
  return [...(inApp ? ['in_app'] : []), ...deliveries.map(({ channelId }) => channelId.slice(4))].join(' ');
};

suite('where a notification goes', test => {
  test('by default: the feed, and what was set up for it, but no email', () =>
    assert.is(reached({}), 'in_app hook slack'));
  test('email as all email channels, or one of them by itself', () => {
    assert.is(reached({ defaults: { email: true } }), 'in_app mail hook slack');
    assert.is(reached({ defaults: { email: true, chn_mail: false } }), 'in_app hook slack');
    assert.is(reached({ defaults: { chn_mail: true } }), 'in_app mail hook slack');
  });
  test("a kind's own choice counts before the defaults", () => {
    const kinds = { 'deployment.degraded': { in_app: false, email: true, chn_hook: false } };
    assert.is(reached({ kinds }), 'mail slack');
    assert.is(reached({ kinds }, { kind: 'deployment.ready' }), 'in_app hook slack');
    assert.is(reached({ kinds, defaults: { chn_mail: false } }), 'mail slack');
  });
  test('nothing below the least severity', () => {
    const minSeverity = { email: 'critical', chn_hook: 'warning', in_app: 'critical' } as const;
    assert.is(reached({ defaults: { email: true }, minSeverity }), 'hook slack');
    const failed = { kind: 'deployment.failed' };
    assert.is(reached({ defaults: { email: true }, minSeverity }, failed), 'in_app mail hook slack');
    assert.is(reached({ minSeverity }, { kind: 'deployment.ready' }), 'slack');
  });
  test('a delivery has an id of its own, with no dot in it', () => {
    const ids = over({}).deliveries.map(({ deliveryId }) => deliveryId);
    assert.equal(ids, ['dlv_hook_1', 'dlv_slack_1']);
  });
});

const at = (time: string) => Date.parse(time);
const berlin = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin', exceptCritical: true };
const times = (preferences: Partial<Preferences>, more: object = {}) =>
  Object.fromEntries(
    over({ defaults: { email: true }, ...preferences }, more).deliveries.map(each => [
      each.channelId.slice(4),
      new Date(each.notBefore).toISOString().slice(0, 16) + (each.digest ? ' digest' : ''),
    ]),
  );

suite('when it goes', test => {
  test('at once', () => assert.is(times({})['mail'], '2026-01-14T12:00'));
  test('not in quiet hours, by the clocks of a place', () => {
    const now = at('2026-01-14T23:30:00Z');
    assert.is(times({ quietHours: berlin }, { now })['mail'], '2026-01-15T06:00');
    assert.is(times({ quietHours: berlin }, { now: at('2026-07-14T21:30:00Z') })['hook'], '2026-07-15T05:00');
    assert.is(times({ quietHours: berlin })['mail'], '2026-01-14T12:00');
  });
  test('what is critical goes all the same, unless that is not wanted', () => {
    const more = { now: at('2026-01-14T23:30:00Z'), kind: 'deployment.failed' };
    assert.is(times({ quietHours: berlin, digest: 'daily' }, more)['mail'], '2026-01-14T23:30');
    const strict = { ...berlin, exceptCritical: false };
    assert.is(times({ quietHours: strict, digest: 'daily' }, more)['mail'], '2026-01-15T06:00');
  });
  test('in a digest at eight, of a week on Monday; a webhook is no reader of digests', () => {
    const timezone = 'America/New_York';
    const daily = times({ digest: 'daily' }, { timezone });
    assert.equal(daily, {
      mail: '2026-01-14T13:00 digest',
      hook: '2026-01-14T12:00',
      slack: '2026-01-14T13:00 digest',
    });
    assert.is(times({ digest: 'weekly' }, { timezone })['mail'], '2026-01-19T13:00 digest');
    const late = { ...berlin, to: '09:00' };
    assert.is(times({ digest: 'daily', quietHours: late })['mail'], '2026-01-15T08:00 digest');
  });
  test('with one clock for a time zone, however its name is written', () => {
    const { DateTimeFormat } = Intl;
    let made = 0;
    Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
      construct(target, [locale, options]: [string, Intl.DateTimeFormatOptions]) {
        made++;
        return new target(locale, options);
      },
    });
    try {
      for (const zone of ['Asia/Tokyo', 'asia/tokyo', 'ASIA/TOKYO', 'Asia/tokyO'])
        assert.is(nextAt(NOON, 0, zone), at('2026-01-14T15:00:00Z'), zone);
      assert.is(made, 1);
    } finally {
      Intl.DateTimeFormat = DateTimeFormat;
    }
  });
  test('all of one digest are one message', () => {
    const ids = ['ntf_1', 'ntf_2'].map(
      notificationId => over({ digest: 'daily' }, { notificationId }).deliveries[1]!.deliveryId,
    );
    assert.is(ids[0], ids[1]);
    assert.is.not(over({ digest: 'daily' }, { now: NOON + DAY }).deliveries[1]!.deliveryId, ids[0]);
  });
});

// Clocks that are set by an hour, by half an hour, at midnight, and around Ramadan
const zones = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana', 'Africa/Casablanca'],
  ...['Asia/Kathmandu', 'UTC', 'Pacific/Apia', 'Asia/Beirut'],
];
const clock = new Map(
  zones.map(timeZone => [timeZone, new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' })]),
);
/** `HH:MM` as Intl writes it. */
const shown = (time: number, zone: string): string => clock.get(zone)!.format(time);
const isQuietByText = ({ from, to, timezone }: typeof berlin, time: number): boolean => {
  const now = shown(time, timezone);
  return from < to ? from <= now && now < to : now >= from || now < to;
};
const hhmm = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map(m => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`);
/** Around the days when clocks are set: in spring, in autumn, and any. */
const time = fc.oneof(
  fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-12-31T00:00:00Z') }),
  ...['2026-03-08', '2026-03-29', '2026-10-04', '2026-10-25', '2026-11-01', '2026-02-15', '2026-03-22'].map(
    day => fc.integer({ min: at(day) - DAY, max: at(day) + DAY }),
  ),
);

suite('quiet hours against a walk minute by minute', test => {
  test('end at the first minute that is not quiet', () =>
    fc.assert(
      fc.property(time, fc.constantFrom(...zones), hhmm, hhmm, (from, timezone, begin, to) => {
        fc.pre(begin !== to);
        const quiet = { from: begin, to, timezone, exceptCritical: true };
        assert.is(isQuiet(quiet, from), isQuietByText(quiet, from));
        let walked = from;
        while (isQuietByText(quiet, walked)) walked = Math.floor(walked / MINUTE) * MINUTE + MINUTE;
        assert.is(endOfQuiet(quiet, from), walked);
      }),
      { numRuns: 400 },
    ));
  test('the next time of a day is the first at which clocks show it, or pass over it', () =>
    fc.assert(
      fc.property(time, fc.constantFrom(...zones), hhmm, (from, zone, wanted) => {
        const minuteOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
        const ahead = (a: string, b: string) => (minuteOf(b) - minuteOf(a) + 24 * 60) % (24 * 60);
        let walked = Math.floor(from / MINUTE) * MINUTE;
        for (;;) {
          const before = shown(walked, zone);
          walked += MINUTE;
          const now = shown(walked, zone);
          const forward = ahead(before, now) <= 12 * 60;
          if (now === wanted || (forward && ahead(before, wanted) < ahead(before, now) && before !== wanted))
            break;
        }
        assert.is(nextAt(from, minuteOf(wanted), zone), walked);
      }),
      { numRuns: 400 },
    ));
});
