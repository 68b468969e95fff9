import { defaultPreferences, notificationPreferences } from '../../../domain/notifications/preferences.js';
import { given } from '../../spec.js';
import { suite } from '../../suite.js';

const preferences = { ...defaultPreferences, defaults: { in_app: true, email: true } };
const set = { type: 'SetNotificationPreferences', data: { uid: 'ann', preferences } } as const;
const wasSet = { type: 'NotificationPreferencesSet', data: set.data } as const;

suite('preferences', test => {
  test('are set', () => given(notificationPreferences).when(set).then(wasSet));
  test('the same once more changes nothing, whatever the order of members', () => {
    given(notificationPreferences, wasSet).when(set).thenNothing();
    const turned = { ...preferences, defaults: { email: true, in_app: true } };
    given(notificationPreferences, wasSet)
      .when({ ...set, data: { uid: 'ann', preferences: turned } })
      .thenNothing();
  });
  test('only as who sets them has seen them', () => {
    const seeing = (seen: number) => ({ ...set, data: { ...set.data, seen } });
    given(notificationPreferences).when(seeing(0)).then(wasSet);
    given(notificationPreferences, wasSet)
      .when(seeing(0))
      .thenRejected(/at version 1/);
    given(notificationPreferences, wasSet).when(seeing(1)).thenNothing();
  });
  test('the defaults change nothing while nothing else was said', () => {
    const plain = { ...set, data: { uid: 'ann', preferences: defaultPreferences } };
    given(notificationPreferences).when(plain).thenNothing();
    given(notificationPreferences, wasSet)
      .when(plain)
      .then({ ...wasSet, data: plain.data });
  });
});
