import * as assert from 'uvu/assert';
import { fold } from '../../domain/decider.js';
import { BACK_OFF, deliveries, notificationsOf } from '../../domain/notifications/channels/deliveries.js';
import type { DeliveryCommand, DeliveryFact } from '../../domain/notifications/channels/delivery-facts.js';
import type { Outcome } from '../../domain/notifications/channels/facts.js';
import { HOUR, MINUTE, SECOND } from '../../domain/time.js';
import { given, stored } from '../spec.js';
import { suite } from '../suite.js';

const id = { uid: 'u', channelId: 'c', deliveryId: 'd' };
const NOW = 1_000_000_000;
const wanted = (notificationId = 'n', digest = false) => ({ ...id, notificationId, digest, notBefore: NOW });
const requested = (notificationId?: string, digest?: boolean): DeliveryFact => ({
  type: 'DeliveryRequested',
  data: wanted(notificationId, digest),
});
const request = (notificationId?: string, digest?: boolean): DeliveryCommand => ({
  type: 'RequestDelivery',
  data: wanted(notificationId, digest),
});
const worked: Outcome = { ok: true, statusCode: 204, reason: null };
const broke = (statusCode: number | null = 500): Outcome => ({ ok: false, statusCode, reason: 'status' });
const attempt = (nth: number, outcome: Outcome, now = NOW): DeliveryCommand => ({
  type: 'RecordAttempt',
  data: { ...id, attempt: nth, outcome, now },
});
const failed = (nth: number, nextAt: number | null, statusCode: number | null = 500): DeliveryFact => ({
  type: 'DeliveryFailed',
  data: { ...id, attempt: nth, statusCode, reason: 'status', nextAt },
});
const succeeded = (nth: number): DeliveryFact => ({
  type: 'DeliverySucceeded',
  data: { ...id, attempt: nth, statusCode: 204 },
});
type Why = 'attempts_exhausted' | 'channel_disabled' | 'channel_not_verified';
const parked = (reason: Why = 'attempts_exhausted'): DeliveryFact => ({
  type: 'DeliveryParked',
  data: { ...id, reason },
});
const replayed: DeliveryFact = { type: 'DeliveryReplayed', data: id };
const replay: DeliveryCommand = { type: 'ReplayDelivery', data: id };
const withdraw: DeliveryCommand = { type: 'WithdrawDelivery', data: id };
const park: DeliveryCommand = { type: 'ParkDelivery', data: { ...id, reason: 'channel_disabled' } };

suite('deliveries', test => {
  test('the pauses are those of Standard Webhooks', () =>
    assert.equal(BACK_OFF, [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]));

  test('each failure waits longer, and the eighth parks it', () => {
    let past: DeliveryFact[] = [requested()];
    let now = NOW;
    for (const [i, pause] of BACK_OFF.entries()) {
      given(deliveries, ...past)
        .when(attempt(i + 1, broke(), now))
        .then(failed(i + 1, now + pause));
      past = [...past, failed(i + 1, now + pause)];
      now += pause;
    }
    given(deliveries, ...past)
      .when(attempt(8, broke(), now))
      .then(failed(8, null), parked());
    given(deliveries, ...past)
      .when(attempt(8, worked, now))
      .then(succeeded(8));
  });

  test('an attempt is recorded once, and none once it is over', () => {
    given(deliveries, requested(), failed(1, NOW)).when(attempt(1, worked)).thenNothing();
    given(deliveries, requested()).when(attempt(2, worked)).thenNothing();
    given(deliveries, requested(), succeeded(1)).when(attempt(2, broke())).thenNothing();
    given(deliveries).when(attempt(1, worked)).thenNothing();
  });

  test('whoever answers 410 is not asked again', () =>
    given(deliveries, requested())
      .when(attempt(1, broke(410)))
      .then(failed(1, null, 410), parked('channel_disabled')));

  test('what is parked may be replayed, with all its attempts, which count on', () => {
    const past = [requested(), failed(1, null, 410), parked('channel_disabled'), replayed];
    given(deliveries, ...past.slice(0, 3))
      .when(replay)
      .then(replayed);
    given(deliveries, ...past)
      .when(attempt(2, broke()))
      .then(failed(2, NOW + BACK_OFF[0]!));
    given(deliveries, ...past, failed(2, NOW))
      .when(attempt(3, broke()))
      .then(failed(3, NOW + BACK_OFF[1]!));
    const whole = fold(deliveries, deliveries.initialState, stored(...past));
    const { notifications: _, ...rest } = whole;
    assert.equal(rest, { status: 'waiting', digest: false, attempts: 1, since: 1 });
    assert.equal(notificationsOf(whole), ['n']);
  });

  test('a digest has all that it gathers, in order', () => {
    const ids = Array.from({ length: 100 }, (_, i) => `n${i}`);
    const past = ids.map(each => requested(each, true));
    assert.equal(notificationsOf(fold(deliveries, deliveries.initialState, stored(...past))), ids);
    given(deliveries, ...past)
      .when(request('n50', true))
      .then();
  });

  test('nothing else may be replayed', () => {
    given(deliveries)
      .when(replay)
      .thenRejected(/not found/);
    given(deliveries, requested())
      .when(replay)
      .thenRejected(/it is waiting/);
    given(deliveries, requested(), succeeded(1))
      .when(replay)
      .thenRejected(/it is delivered/);
  });

  test('it is parked or withdrawn while it waits', () => {
    given(deliveries, requested()).when(park).then(parked('channel_disabled'));
    given(deliveries, requested(), succeeded(1)).when(park).thenNothing();
    given(deliveries, requested()).when(withdraw).then({ type: 'DeliveryWithdrawn', data: id });
    given(deliveries, requested(), parked()).when(withdraw).thenNothing();
  });

  test('a digest takes more until its first attempt; each notification once', () => {
    given(deliveries).when(request('n', true)).then(requested('n', true));
    given(deliveries, requested('n', true)).when(request('n', true)).thenNothing();
    given(deliveries, requested('n', true)).when(request('m', true)).then(requested('m', true));
    given(deliveries, requested('n', true), succeeded(1)).when(request('n', true)).thenNothing();
    given(deliveries, requested('n', true), succeeded(1))
      .when(request('m', true))
      .thenRejected(/is delivered/);
    given(deliveries, requested('n', true), failed(1, NOW))
      .when(request('m', true))
      .thenRejected(/is waiting/);
  });
});
