import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { recordBatch } from './batch.js';
import { tag, writeAccess, type EventDeps } from './deps.js';
import { submissionOf } from './requests.js';
import * as schemas from './record-schemas.js';
import { recordedView } from './views.js';

/** Recording events, one or many. */
export const recordRows = ({ commands, clock, visible }: EventDeps): Row[] => [
  row({
    method: 'post',
    path: '/v1/event/record',
    operation: 'recordEvent',
    summary: 'Record an event',
    tag,
    access: writeAccess,
    policy: 'push',
    description:
      'The same stream, time and text again is the same event: its row is updated and scored again. So is '
      + 'the stream and text of an event at the time that it was corrected to. A submission that says what '
      + 'the last one said undoes no correction. A text that is a number is the `value` where none is given.',
    body: schemas.recordBody,
    answers: {
      200: { description: 'Recorded; it is scored in the background', schema: schemas.recordAnswer },
    },
    errors: {
      400: ['event_key_required', 'event_text_required', 'occurred_at_too_far'],
      403: ['stream_read_only'],
    },
    async run(call) {
      const recorded = await commands.record(
        call.workspace,
        submissionOf(call.body),
        contextOf(call, clock()),
      );
      await visible(recorded.position);
      return { body: { data: recordedView(recorded) } };
    },
  }),
  row({
    method: 'post',
    path: '/v1/event/record-batch',
    operation: 'recordEvents',
    summary: 'Record up to 500 events',
    tag,
    access: writeAccess,
    description: 'Each item is taken or refused by itself; when every item is refused the answer is 422.',
    policy: 'push',
    body: schemas.batchBody,
    weight: ({ events }) => events.length,
    answers: { 201: { description: 'What became of each item', schema: schemas.batchAnswer } },
    async run(call) {
      const { position, ...answer } = await recordBatch(
        commands,
        call.workspace,
        call.body.events,
        contextOf(call, clock()),
      );
      await visible(position);
      return { status: 201, body: { status: 'accepted', data: answer } };
    },
  }),
];
