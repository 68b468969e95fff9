import * as assert from 'uvu/assert';
import type { Fact } from '../../../domain/fact.js';
import { pipelineFrames } from '../../../domain/pipelines/frames.js';
import type { CandidatePromoted, CandidateProposed } from '../../../domain/pipelines/facts.js';
import type { Mode } from '../../../domain/pipelines/settings.js';
import type { Tells } from '../../../domain/realtime/frame.js';
import { stored } from '../../spec.js';
import { suite } from '../../suite.js';
import { entryOf } from './given.js';

const about = {
  ...{ pipelineId: 'pip_1', candidateId: 'cnd_1', trainingId: 'trn_1', promotionId: 'prm_1' },
  ...{ metric: 'mase', score: 0.7, servingScore: 0.9, version: 3, retired: null, entry: entryOf('m') },
};
const factOf = (type: 'CandidateProposed' | 'CandidatePromoted', mode: Mode): Fact =>
  stored({ type, data: { ...about, mode } } as unknown as CandidateProposed | CandidatePromoted)[0]!;

/** What is told of a fact under a name, and on how many channels. */
async function told(fact: Fact, event: string) {
  const tells = [pipelineFrames[fact.type]!].flat().filter((each: Tells) => each.event === event);
  return Promise.all(
    tells.map(async ({ channels, data }) => [
      (await channels(fact as Fact<never>)).length,
      await data(fact as Fact<never>),
    ]),
  );
}

suite('what is told of pipelines', test => {
  const data = { pipeline_id: 'pip_1', candidate_id: 'cnd_1', score: 0.7, serving_score: 0.9 };
  for (const [type, mode, channels] of [
    ['CandidateProposed', 'manual', 1],
    ['CandidateProposed', 'auto', 0],
    ['CandidatePromoted', 'manual', 0],
    ['CandidatePromoted', 'auto', 1],
  ] as const)
    test(`a new best one: ${type} in mode ${mode}`, async () => {
      const deployed = type === 'CandidatePromoted';
      assert.equal(await told(factOf(type, mode), 'pipeline.new_best'), [[channels, { ...data, deployed }]]);
      assert.is((await told(factOf(type, mode), 'pipeline.updated'))[0]![0], 1);
    });
});
