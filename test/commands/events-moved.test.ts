import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, type Context } from '../../commands/engine/handle.js';
import { eventCommands } from '../../commands/events.js';
import { events } from '../../domain/events/decider.js';
import { neutralScores } from '../../domain/events/numeric.js';
import { START } from '../../domain/fact.js';
import { Rejected } from '../../domain/rejected.js';
import { suite } from '../suite.js';

const context: Context = {
  ...{ workspace: 'w', actor: 'token:t', request: null, correlation: 'c', causation: null, at: 1_000_000 },
};
const full = new Rejected('limited', 'rate_limited', 'Too many texts wait for a score');

suite('events that are moved', test => {
  test('where there is no room for the score of another value leave no word of it', async () => {
    const store = memoryEventStore();
    const handle = handler(store, randomUUID);
    let refusal: Rejected | null = null;
    const commands = eventCommands(handle, { refusal: () => refusal });
    const { eventId } = await commands.record(
      'w',
      { key: 'news', text: 'Storm', occurredAt: 1_000, details: { value: 1 } },
      context,
    );
    const score = { scores: neutralScores(), reasons: [], version: 'v1' };
    const of = { workspace: 'w', eventId, asked: 0 };
    await handle(events, { type: 'ScoreEvent', data: { ...of, ...score } }, context);
    const typesNow = async () => (await store.page(START, 100)).map(({ type }) => type);
    const before = await typesNow();
    assert.equal(before, ['EventRecorded', 'EventScored']);
    refusal = full;
    const revise = () => commands.revise('w', eventId, { occurredAt: 2_000, value: 2 }, null, context);
    assert.is(await revise().catch((error: unknown) => error), full);
    assert.equal(await typesNow(), before);
    refusal = null;
    await revise();
    assert.equal(await typesNow(), [...before, 'EventReferred', 'EventRevised']);
  });
});
