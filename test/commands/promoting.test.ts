import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, loader } from '../../commands/engine/handle.js';
import { promotingOf, type PromotingDeps } from '../../commands/pipelines/promoting.js';
import { pipelineCommands } from '../../commands/pipelines/records.js';
import type { DeploymentWishes } from '../../domain/deployments/commands.js';
import { pipelines } from '../../domain/pipelines/decider.js';
import { decide, note, NOW, of, result, start, withPolicy } from '../domain/pipelines/given.js';
import { suite } from '../suite.js';

const context = {
  ...{ workspace: of.workspace, actor: 'reactor:promotion', request: null },
  ...{ correlation: 'c', causation: null, at: NOW },
};

suite('the promotion of a candidate', test => {
  test('a licence against commercial use is accepted by its pipeline, or by who approved it', async () => {
    const PROMOTION = 'prm_0123456789abcdef_0a1b2c3d4e';
    const accepted = async (mode: 'auto' | 'manual', inSettings: boolean, inDecision: boolean) => {
      const store = memoryEventStore();
      const [handle, load] = [handler(store, randomUUID), loader(store)];
      const commands = pipelineCommands({ handle, load });
      const settings = { ...withPolicy({ mode }), ...(inSettings && { acceptNonCommercial: true as const }) };
      const create = {
        type: 'CreatePipeline',
        data: { ...of, settings, owner: 'usr_1', rowsSeen: 0 },
      } as const;
      const decision = decide({ acceptNonCommercial: inDecision });
      const said = [create, start(), note(result(1)), note(result(2))];
      for (const command of mode === 'auto' ? said : [...said, decision])
        await handle(pipelines, command, context);
      await commands.startPromotion(of, 'cnd_1', PROMOTION, context);
      const wishes: DeploymentWishes[] = [];
      const promoting = promotingOf({
        ...{ commands, load },
        trainings: { read: async () => ({ queued: { what: { kind: 'custom' } } }) },
        made: { training: async () => ({ maxHorizon: 9, blueprintUid: null }) },
        deployments: {
          request: async (_: string, __: object, wished: DeploymentWishes) => wishes.push(wished),
        },
      } as unknown as PromotingDeps);
      await promoting.request(
        of,
        { ...{ pipelineId: of.pipelineId, candidateId: 'cnd_1' }, promotionId: PROMOTION, demotes: null },
        context,
      );
      return wishes.map(({ acceptNonCommercial }) => acceptNonCommercial);
    };
    assert.equal(await accepted('auto', false, false), [false]);
    assert.equal(await accepted('auto', true, false), [true]);
    assert.equal(await accepted('manual', false, false), [false]);
    assert.equal(await accepted('manual', false, true), [true]);
    assert.equal(await accepted('manual', true, false), [true]);
  });

  test('a deployment that failed goes out of service, though a kill came between', async () => {
    const store = memoryEventStore();
    const [handle, load] = [handler(store, randomUUID), loader(store)];
    const commands = pipelineCommands({ handle, load });
    const create = {
      type: 'CreatePipeline',
      data: { ...of, settings: withPolicy({ mode: 'auto' }), owner: 'usr_1', rowsSeen: 0 },
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
