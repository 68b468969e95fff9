import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, loader } from '../../commands/engine/handle.js';
import { inferenceRecords, newInferenceId } from '../../commands/inference/records.js';
import type { Asked, Made } from '../../commands/inference/keeping.js';
import { unkept } from '../../domain/inference/state.js';
import { START } from '../../domain/fact.js';
import { suite } from '../suite.js';

/** EventStoreDB takes events of at most 1 MiB. */
const MOST_BYTES = 1_048_576;
const context = {
  ...{ workspace: 'w', actor: 'token:t', request: null, correlation: 'c', causation: null },
  at: Date.UTC(2026, 0, 1),
};
const about = { task: 'classify', promotionId: 'prm_1', series: 100, horizon: null } as const;
const made = (answer: unknown, numbers: number, read: Made['read'] = []): Made => ({
  ...about,
  ...{ answer, numbers },
  model: { family: 'presage', slug: 'nano', version: 'v', name: 'nano' },
  ...{ read, upTo: 0, inputsHash: 'h', seed: 1, codeVersion: '1', cutoff: 0, inputPoints: 0 },
  ...{ outputPoints: 0, tookMs: 1, cached: false, askedBy: 'token:t', awaits: null },
});
const asked = (body: unknown): Asked => ({
  ...about,
  inferenceId: newInferenceId(),
  ...{ body, key: null, bytes: Buffer.byteLength(JSON.stringify(body)) },
});

/** Three bytes a letter, as much as a UTF-16 unit can take, and a pair that a cut may fall into. */
const wide = (letters: number): string => `${'漢'.repeat(letters)}😀`;

async function recording(body: unknown, answer: unknown, numbers: number, read: Made['read'] = []) {
  const store = memoryEventStore();
  const records = inferenceRecords(handler(store, randomUUID), loader(store));
  const keep = await records.record('w', asked(body), made(answer, numbers, read), context);
  const { inferenceId } = await keep();
  const { parts, requested, completed } = await records.read('w', inferenceId);
  const facts = await store.page(START, 1_000);
  return {
    read: completed!.read,
    body: unkept(requested.request, parts.request),
    answer: unkept(completed!.answer, parts.answer),
    sizes: facts.map(({ data }) => Buffer.byteLength(JSON.stringify(data))),
  };
}

suite('what is kept of inferences', test => {
  test('large requests and answers are kept whole, in facts that every store takes', async () => {
    const body = { series: [{ id: wide(299_000), values: [1, 2] }, { id: wide(1_000_000) }] };
    const answer = { classifications: [{ id: 'a', label: wide(700_001) }] };
    const kept = await recording(body, answer, 100_000);
    assert.equal(kept.body, body);
    assert.equal(kept.answer, answer);
    assert.ok(Math.max(...kept.sizes) < MOST_BYTES, `${Math.max(...kept.sizes)} bytes`);
  });

  test('names and labels count, not the numbers alone', async () => {
    const labels = Array.from({ length: 160 }, (_, i) => `${wide(60)}${i}`);
    const answer = Array.from({ length: 100 }, (_, id) => ({
      id,
      probabilities: Object.fromEntries(labels.map(label => [label, 0.5])),
    }));
    const kept = await recording({}, answer, 16_000);
    assert.equal(kept.answer, answer);
    assert.ok(Math.max(...kept.sizes) < MOST_BYTES, `${Math.max(...kept.sizes)} bytes`);
  });

  test('what tells of a thousand signals with the longest keys stands beside a large request', async () => {
    const read = Array.from({ length: 1_000 }, (_, i) => ({
      ...{ key: `${'漢'.repeat(195)}${i}`, of: null, revision: i, asOf: context.at, from: context.at },
      ...{ points: 2_048, hash: '0123456789abcdef' },
    }));
    const body = { examples: [{ label: 'a', values: Array.from({ length: 40_000 }, (_, i) => i / 8) }] };
    const kept = await recording(body, { classifications: wide(90_000) }, 100_000, read);
    assert.equal([kept.read, kept.body], [read, body]);
    assert.ok(Math.max(...kept.sizes) < MOST_BYTES, `${Math.max(...kept.sizes)} bytes`);
  });

  test('numbers that were sent in short are kept as long as they are written out', async () => {
    const store = memoryEventStore();
    const records = inferenceRecords(handler(store, randomUUID), loader(store));
    const text = `{"series":[${'9e20,'.repeat(55_000)}1]}`;
    const sent = { ...asked(JSON.parse(text)), bytes: text.length };
    assert.ok(sent.bytes < 300_000 && Buffer.byteLength(JSON.stringify(sent.body)) > MOST_BYTES);
    const keep = await records.record('w', sent, made({}, 1), context);
    const { inferenceId } = await keep();
    const { requested, parts } = await records.read('w', inferenceId);
    assert.equal(unkept(requested.request, parts.request), sent.body);
  });

  test('small ones stand in the facts themselves', async () => {
    const { sizes } = await recording({ key: 'a' }, { forecasts: [1, 2, 3] }, 3);
    assert.is(sizes.length, 2);
  });
});
