import * as assert from 'uvu/assert';
import { memoryKeyValue } from '../../adapters/memory.js';
import type { KeyValue } from '../../commands/ports/key-value.js';
import { probing } from '../../commands/probing.js';
import { Rejected } from '../../domain/rejected.js';
import { hosted } from '../domain/deployments-given.js';
import { suite } from '../suite.js';

suite('what is told of a probe that failed', test => {
  const logged: unknown[] = [];
  const told = async (failed: Error, store?: KeyValue): Promise<string | null> => {
    const log = { info() {}, warn() {}, error: ({ err }: { err?: unknown }) => void logged.push(err) };
    const kv = store ?? { get: async () => null, set: async () => 1 };
    const caps = { context: 512, horizon: 96 };
    const model = { slug: 'nano', version: '1', tasks: [], caps, forecast: () => Promise.reject(failed) };
    const { probe } = probing({ pool: { forecaster: () => model }, kv, clock: () => 0, log });
    return (await probe(hosted(), 1_000, true))!.message;
  };

  test('a refusal is told as it stands, another error with its paths is for the log alone', async () => {
    const refusal = new Rejected('unprocessable', 'model_failed', 'The model failed: it takes too long');
    assert.is(await told(refusal), refusal.message);
    assert.equal(logged, []);
    const fault = new Error('Load model from /srv/models/nano.onnx failed: onnxruntime::Model');
    assert.is(await told(fault), 'an error of the platform, which its log tells of');
    assert.equal(logged, [fault]);
  });

  test('a model that goes on failing is told of once', async () => {
    logged.length = 0;
    const store = memoryKeyValue(() => 0);
    for (let i = 0; i < 3; i++) await told(new Error('broken'), store);
    assert.is(logged.length, 1);
  });
});
