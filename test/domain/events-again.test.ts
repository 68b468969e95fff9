import { events } from '../../domain/events/decider.js';
import type { EventCommand } from '../../domain/events/commands.js';
import type { Changes, EventFact } from '../../domain/events/facts.js';
import { given } from '../spec.js';
import { suite } from '../suite.js';
import {
  NOW,
  confirmed,
  corrected,
  deleted,
  numeric,
  record,
  recorded,
  referred,
  resubmitted,
  revised,
  scored,
  withdrawn,
} from './events-given.js';

/** A submission that changes something, and says more that is so already. */
const also = (changes: Changes, submitted: Changes): EventFact => ({
  type: 'EventRevised',
  data: { eventId: 'evt_1', key: 'news', revision: 3, changes, rescored: true, submitted },
});

const refer = (to: string): EventCommand => ({
  type: 'ReferEvent',
  data: { workspace: 'w', eventId: 'evt_1', key: 'news', to },
});

suite('recording the same event again', test => {
  test('while it waits for a score changes nothing', () =>
    given(events, recorded()).when(record()).thenNothing());
  test('when it is scored asks for the score again', () =>
    given(events, recorded(), scored).when(record()).then(resubmitted));
  test('and again, until that score is there', () =>
    given(events, recorded(), scored, resubmitted).when(record()).thenNothing());
  test('with another value revises and scores it', () =>
    given(events, recorded({ value: 1 }), scored)
      .when(record({ details: { value: 2 } }))
      .then(revised({ value: 2 }, true)));
  test('without a value that it had clears it', () =>
    given(events, recorded({ value: 1 }), scored)
      .when(record())
      .then(revised({ value: null }, true)));
  test('with the same payload in other words changes nothing new', () =>
    given(events, recorded({ raw: { a: 1 } }), scored)
      .when(record({ details: { raw: { a: 1 } } }))
      .then(resubmitted));
  test('numeric content stays as it is', () =>
    given(events, recorded({ text: '42', value: 42 }), numeric)
      .when(record({ text: '42' }))
      .thenNothing());
  test('numeric content without its number, as it was once recorded, has it then', () =>
    given(events, recorded({ text: '42' }), numeric)
      .when(record({ text: '42' }))
      .then(revised({ value: 42 }, true), numeric));
  test('after it was moved leaves it where it is', () =>
    given(events, recorded(), corrected({ occurredAt: NOW - 5 }, false), scored)
      .when(record())
      .then(resubmitted));
  test('nor does it undo another value', () =>
    given(events, recorded({ value: 1 }), corrected({ value: 2 }, true))
      .when(record({ details: { value: 1 } }))
      .thenNothing());
  test('or a name that it was given', () =>
    given(events, recorded({ name: 'a' }), corrected({ name: null }, false))
      .when(record({ details: { name: 'a' } }))
      .thenNothing());
  test('also where that was stored before corrections were told apart', () =>
    given(events, recorded(), revised({ name: 'b' }, false), scored)
      .when(record())
      .then(resubmitted));
  test('what is new in it counts, and nothing else', () =>
    given(events, recorded({ value: 1, name: 'a' }), corrected({ value: 2, name: 'b' }, true), scored)
      .when(record({ details: { value: 1, name: 'c' } }))
      .then(revised({ name: 'c' }, true, 3)));
  test('submitted with something new and then as at first it is as at first', () =>
    given(events, recorded({ value: 1 }), revised({ value: 2 }, true))
      .when(record({ details: { value: 1 } }))
      .then(revised({ value: 1 }, true, 3)));
  test('submitted as it was corrected to, that is what was submitted', () =>
    given(events, recorded({ value: 10 }), corrected({ value: 12 }, true), scored)
      .when(record({ details: { value: 12 } }))
      .then(confirmed({ value: 12 })));
  test('also while it waits for a score', () =>
    given(events, recorded({ value: 10 }), corrected({ value: 12 }, true))
      .when(record({ details: { value: 12 } }))
      .then(confirmed({ value: 12 })));
  test('once', () =>
    given(events, recorded({ value: 10 }), corrected({ value: 12 }, true), confirmed({ value: 12 }))
      .when(record({ details: { value: 12 } }))
      .thenNothing());
  test('and corrected anew since it stays so', () =>
    given(
      events,
      recorded({ value: 10 }),
      corrected({ value: 12 }, true),
      confirmed({ value: 12 }),
      corrected({ value: 13 }, true, 3),
      scored,
    )
      .when(record({ details: { value: 12 } }))
      .then(resubmitted));
  test('while what was submitted first is something new then', () =>
    given(events, recorded({ value: 10 }), corrected({ value: 12 }, true), confirmed({ value: 12 }))
      .when(record({ details: { value: 10 } }))
      .then(revised({ value: 10 }, true, 3)));
  test('what was cleared and is no longer submitted may be submitted again', () =>
    given(events, recorded({ name: 'a' }), corrected({ name: null }, false), confirmed({ name: null }))
      .when(record({ details: { name: 'a' } }))
      .then(revised({ name: 'a' }, true, 3)));
  test('of what is new in it that counts, too, which is so already', () =>
    given(events, recorded({ value: 10, name: 'a' }), corrected({ value: 12 }, true), scored)
      .when(record({ details: { value: 12, name: 'b' } }))
      .then(also({ name: 'b' }, { value: 12, name: 'b' })));
  test('and is known the next time', () =>
    given(
      events,
      recorded({ value: 10, name: 'a' }),
      corrected({ value: 12 }, true),
      also({ name: 'b' }, { value: 12, name: 'b' }),
      corrected({ value: 13 }, true, 4),
    )
      .when(record({ details: { value: 12, name: 'b' } }))
      .thenNothing());
  test('numeric content needs no score for it', () =>
    given(events, recorded({ text: '42', value: 42 }), numeric, corrected({ value: 43 }, true), numeric)
      .when(record({ text: '42', details: { value: 43 } }))
      .then(confirmed({ value: 43 }), numeric));
  test('a payload of null says nothing new', () =>
    given(events, recorded())
      .when(record({ details: { raw: null } }))
      .thenNothing());
  test('where another event moved to means that one', () =>
    given(events, referred('evt_0')).when(record()).thenNothing());
  test('also where others moved there', () =>
    given(events, referred('evt_0'), referred('evt_2')).when(refer('evt_0')).thenNothing());
  test('unless that is not there any more', () =>
    given(events, referred('evt_0'))
      .when(record({ here: true }))
      .then(recorded()));
  test('after it was withdrawn starts anew', () =>
    given(events, recorded(), scored, withdrawn).when(record()).then(recorded()));
  test('after its stream was deleted starts anew', () =>
    given(events, recorded(), scored, deleted).when(record()).then(recorded()));
});
