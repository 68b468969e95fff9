import type { StreamFact } from '../../domain/events/facts.js';
import { streams } from '../../domain/events/streams.js';
import { given } from '../spec.js';
import { suite } from '../suite.js';

const of = { workspace: 'w', key: 'news' };
const group = (to: string | null, key = 'news') => ({
  type: 'AssignStreamGroup' as const,
  data: { ...of, key, group: to },
});
const name = (to: string | null, key = 'news') => ({
  type: 'NameStream' as const,
  data: { ...of, key, name: to },
});
const grouped = (to: string | null): StreamFact => ({
  type: 'StreamGroupAssigned',
  data: { key: 'news', group: to },
});
const named = (to: string | null): StreamFact => ({ type: 'StreamNamed', data: { key: 'news', name: to } });
const deleted: StreamFact = { type: 'StreamDeleted', data: { key: 'news' } };

suite('what is said of an event stream', test => {
  test('a group is assigned, and cleared', () => {
    given(streams).when(group('a')).then(grouped('a'));
    given(streams, grouped('a')).when(group('b')).then(grouped('b'));
    given(streams, grouped('a')).when(group(null)).then(grouped(null));
  });
  test('a name is given, and taken away', () => {
    given(streams).when(name('N')).then(named('N'));
    given(streams, named('N')).when(name(null)).then(named(null));
  });
  test('what is so already is nothing', () => {
    given(streams).when(group(null)).thenNothing();
    given(streams).when(name(null)).thenNothing();
    given(streams, grouped('a'), named('N')).when(group('a')).thenNothing();
    given(streams, named('N'), grouped('a')).when(name('N')).thenNothing();
  });
  test('a deletion ends it all, and is always done', () => {
    given(streams, grouped('a'), named('N')).when({ type: 'DeleteStream', data: of }).then(deleted);
    given(streams, grouped('a'), deleted).when(group('a')).then(grouped('a'));
    given(streams, named('N'), deleted).when(name(null)).thenNothing();
  });
  test('of a subscribed one nothing is said here', () => {
    given(streams)
      .when(group('a', 'mkt-evt:x'))
      .thenRejected(/read-only/);
    given(streams)
      .when(name('N', 'mkt-evt:x'))
      .thenRejected(/read-only/);
  });
});
