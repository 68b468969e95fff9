import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, loader } from '../../commands/engine/handle.js';
import { promotingOf, type PromotingDeps } from '../../commands/pipelines/promoting.js';
import { pipelineCommands } from '../../commands/pipelines/records.js';
import { pipelines } from '../../domain/pipelines/decider.js';
import { note, NOW, of, result, start, withPolicy } from '../domain/pipelines/given.js';
import { suite } from '../suite.js';

const context = {
  ...{ workspace: of.workspace, actor: 'reactor:promotion', request: null },
  ...{ correlation: 'c', causation: null, at: NOW },
};

suite('the promotion of a candidate', test => {
  test('a deployment that failed goes out of service, though a kill came between', async () => {
    const store = memoryEventStore();
    const [handle, load] = [handler(store, randomUUID), loader(store)];
    const commands = pipelineCommands({ handle, load });
    const create = {
      type: 'CreatePipeline',
      data: { ...of, settings: withPolicy({ mode: 'auto' }), owner: 'usr_1' },
    } as const;
    for (const command of [create, start(), note(result(1)), note(result(2))])
      await handle(pipelines, command, context);
    await commands.startPromotion(of, 'cnd_1', 'prm_1', context);

    const gone: string[] = [];
    let isKilled = true;
    const unpromote = async (_: string, promotionId: string): Promise<void> => {
      if (isKilled) throw new Error('killed');
      gone.push(promotionId);
    };
    const promoting = promotingOf({ commands, load, deployments: { unpromote } } as unknown as PromotingDeps);
    const told = () => promoting.fail(of, 'prm_1', { code: 'probe_failed', message: 'no file' }, context);
    const died = await told().catch((error: unknown) => error);
    assert.instance(died, Error);
    isKilled = false;
    await told();
    assert.equal(gone, ['prm_1']);
    const after = await commands.state(of);
    assert.is(after.status === 'live' && after.candidate?.status, 'pending');
  });
});
