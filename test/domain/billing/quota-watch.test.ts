import type { QuotaFact, WatchQuota } from '../../../domain/billing/quota-watch.js';
import { quotaWatch } from '../../../domain/billing/quota-watch.js';
import { given } from '../../spec.js';
import { suite } from '../../suite.js';

const rows = (used: number, period = '2026-03') =>
  ({ workspace: 'w', quota: 'streaming_rows', period, used, limit: 100 }) as const;
const members = (used: number) =>
  ({ workspace: 'w', quota: 'members', period: null, used, limit: 10 }) as const;
const watch = (data: WatchQuota['data']): WatchQuota => ({ type: 'WatchQuota', data });
const neared = (data: WatchQuota['data']): QuotaFact => ({ type: 'QuotaNeared', data });
const eased: QuotaFact = { type: 'QuotaEased', data: { workspace: 'w', quota: 'members' } };

suite('quotas that are nearly used up', test => {
  test('are told of from four fifths on, once a month', () => {
    given(quotaWatch)
      .when(watch(rows(79)))
      .thenNothing();
    given(quotaWatch)
      .when(watch(rows(80)))
      .then(neared(rows(80)));
    given(quotaWatch, neared(rows(80)))
      .when(watch(rows(120)))
      .thenNothing();
    given(quotaWatch, neared(rows(80)))
      .when(watch(rows(3)))
      .thenNothing();
    given(quotaWatch, neared(rows(80)))
      .when(watch(rows(85, '2026-04')))
      .then(neared(rows(85, '2026-04')));
  });
  test('are told of again when they were less in between, where they are no month’s', () => {
    given(quotaWatch)
      .when(watch(members(7)))
      .thenNothing();
    given(quotaWatch)
      .when(watch(members(8)))
      .then(neared(members(8)));
    given(quotaWatch, neared(members(8)))
      .when(watch(members(10)))
      .thenNothing();
    given(quotaWatch, neared(members(8)))
      .when(watch(members(7)))
      .then(eased);
    given(quotaWatch, neared(members(8)), eased)
      .when(watch(members(7)))
      .thenNothing();
    given(quotaWatch, neared(members(8)), eased)
      .when(watch(members(9)))
      .then(neared(members(9)));
  });
  test('one does not hide another', () =>
    given(quotaWatch, neared(rows(80)))
      .when(watch(members(8)))
      .then(neared(members(8))));
});
