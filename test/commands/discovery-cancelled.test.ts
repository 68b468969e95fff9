import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { discoveryCommands } from '../../commands/discovery/records.js';
import { runDiscovery, type RunningDeps } from '../../commands/discovery/running.js';
import { handler, loader } from '../../commands/engine/handle.js';
import type { DiscoveryStarted } from '../../domain/discovery/facts.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import { NOW, settings } from '../domain/goals/given.js';
import { suite } from '../suite.js';

const of = { workspace: 'w', discoveryId: 'dis_1' };
const context = { workspace: 'w', actor: 'a', request: null, correlation: 'c', causation: 'c', at: NOW };
const goal = { status: 'active', settings: settings(), fleetId: null } as LiveGoal;
const started: DiscoveryStarted['data'] = {
  ...{ discoveryId: 'dis_1', goalId: 'goa_1', trigger: 'manual', kind: 'search', asOf: NOW },
  scope: { kind: 'search', signals: 'all', eventStreams: 'all', exclude: [] },
  subject: settings(),
  settings: { method: 'default', alpha: 0.05, maxLagS: null, seed: 1 },
};

suite('a discovery that is cancelled before it begins', test => {
  test('ends without a fault, and nothing more is written of it', async () => {
    const events = memoryEventStore();
    const commands = discoveryCommands({ handle: handler(events, randomUUID), load: loader(events) });
    const { position } = await commands.start('w', started, context);
    const deps = {
      ...{ commands, goal: async () => goal, known: async () => [], clock: () => NOW },
      targetOf: async () => void (await commands.cancel(of, context)),
      reads: { async *signals() {}, async *streams() {} },
    };
    const { signal } = new AbortController();
    assert.is(await runDiscovery(deps as unknown as RunningDeps, of, context, signal), null);
    assert.is((await commands.read(of)).status, 'cancelled');
    assert.is(await events.head(), position! + 1);
  });
});
