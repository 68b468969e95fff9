import type { Data, Kind } from './kind.js';
import { figure, pathOf, words } from './words.js';

const pipeline = pathOf('/v1/pipelines/', 'pipeline_id');
const training = pathOf('/v1/training/', 'training_id');
const deployment = pathOf('/v1/deployments/', 'promotion_id');
const byom = pathOf('/v1/models/byom/', 'byom_id');
/** By its name and its model, as far as they are known. */
function named(data: Data): string {
  const [name, model] = [words(data, 'name', ''), words(data, 'model', '')];
  if (name !== '') return model === '' ? name : `${name} (${model})`;
  return model === '' ? words(data, 'promotion_id') : `of ${model}`;
}
/** By its name; what was told of before has it as `name`, or none. */
const ofPipeline = (data: Data): string =>
  words(data, 'pipeline_name', words(data, 'name', words(data, 'pipeline_id')));
/** Whether nothing served that it was held against. */
const isAlone = (data: Data): boolean => typeof data['serving_score'] !== 'number';

/** Of pipelines, trainings, deployments and models. */
export const modelKinds = {
  'pipeline.new_best': {
    severity: 'info',
    title: data => `Pipeline ${ofPipeline(data)} found a ${isAlone(data) ? '' : 'better '}model`,
    body(data) {
      const against = isAlone(data)
        ? 'nothing served before'
        : `of the one that serves it is ${figure(data, 'serving_score')}`;
      const itsScore = `Its ${words(data, 'metric', 'score')} is ${figure(data, 'score')}`;
      return `${itsScore}; ${against}. It is ${data['deployed'] === true ? '' : 'not '}deployed.`;
    },
    link: pipeline,
  },
  'pipeline.decision_needed': {
    severity: 'warning',
    title: data => `Pipeline ${ofPipeline(data)} waits for a decision`,
    body: data => `Whether candidate ${words(data, 'candidate_id')} is to serve is for somebody to decide.`,
    link: pipeline,
  },
  'pipeline.promoted': {
    severity: 'info',
    title: data => `Pipeline ${ofPipeline(data)} has a new model in service`,
    body: data => `Candidate ${words(data, 'candidate_id')} serves from now on.`,
    link: pipeline,
  },
  'pipeline.budget_blocked': {
    severity: 'warning',
    title: data => `Pipeline ${ofPipeline(data)} did not run: its budget is spent`,
    body: () => 'The run would have gone past the monthly cap of credits.',
    link: pipeline,
  },
  'training.completed': {
    severity: 'info',
    title: data => `Training ${words(data, 'training_id')} is complete`,
    body: data => `Its ${words(data, 'metric', 'score')} is ${figure(data, 'score')}.`,
    link: training,
  },
  'training.failed': {
    severity: 'warning',
    title: data => `Training ${words(data, 'training_id')} failed`,
    body: data => words(data, 'message', 'No reason was given.'),
    link: training,
  },
  'deployment.ready': {
    severity: 'info',
    title: data => `Deployment ${named(data)} is ready`,
    body: () => 'It answers forecasts from now on.',
    link: deployment,
  },
  'deployment.failed': {
    severity: 'critical',
    title: data => `Deployment ${named(data)} failed`,
    body: data => words(data, 'message', 'No reason was given.'),
    link: deployment,
  },
  'deployment.degraded': {
    severity: 'warning',
    title: data => `Deployment ${named(data)} is degraded`,
    body: data => words(data, 'message', 'It answers with too many errors.'),
    link: deployment,
  },
  'byom.validated': {
    severity: 'info',
    title: data => `Your model ${words(data, 'name', words(data, 'byom_id'))} passed its checks`,
    body: () => 'It can be registered and deployed.',
    link: byom,
  },
  'byom.rejected': {
    severity: 'warning',
    title: data => `Your model ${words(data, 'name', words(data, 'byom_id'))} was rejected`,
    body: data => words(data, 'message', 'One of its checks failed.'),
    link: byom,
  },
  'model.deprecated': {
    severity: 'warning',
    title: data => `Model ${words(data, 'model', words(data, 'blueprint_uid'))} is deprecated`,
    body: data =>
      typeof data['replacement'] === 'string'
        ? `What is deployed goes on. Take ${data['replacement']} instead.`
        : 'What is deployed goes on.',
    link: () => '/v1/models/foundation?include_deprecated=true',
  },
} as const satisfies Readonly<Record<string, Kind>>;
