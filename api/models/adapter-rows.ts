import { INTENSITIES, VISIBILITIES } from '../../domain/models/facts.js';
import { Rejected } from '../../domain/rejected.js';
import { iso } from '../../domain/time.js';
import { array, nullable, object } from '../../json-schema.js';
import { row, type Row } from '../edge/row.js';
import { readAccess, tag, type Adapter, type ModelDeps } from './deps.js';
import { family, slug, task, text, time, whole } from './foundation-schemas.js';

const adapter = object({
  adapter_id: text,
  family: text,
  backbone_slug: text,
  task,
  visibility: { enum: VISIBILITIES },
  name: text,
  owner: { ...text, description: 'user id' },
  status: { enum: ['training', 'ready', 'failed', 'archived'] },
  intensity: { enum: INTENSITIES },
  lookback: whole,
  horizon: whole,
  training_id: text,
  segment_id: text,
  metrics: { type: 'object', additionalProperties: { type: 'number' } },
  size_bytes: nullable(whole),
  created_at: time,
});

const query = object(
  {
    visibility: {
      enum: ['public', 'private', 'all'],
      default: 'public',
      description:
        "`private`: the caller's private ones, of workspaces that they and the token may be in; `all`: "
        + "public ones and the caller's",
    },
  },
  { family, slug, task, owner: { type: 'string', maxLength: 200, description: 'user id' } },
);

/** What came of fine-tuning foundation models. */
export const adapterRows = ({ adapters }: Pick<ModelDeps, 'adapters'>): Row[] => [
  row({
    method: 'get',
    path: '/v1/models/foundation/adapters',
    operation: 'listAdapters',
    summary: 'List adapters: fine-tuned foundation models',
    tag,
    access: readAccess,
    query,
    answers: {
      200: {
        description: 'All that fit and that the caller may see',
        schema: object({ data: object({ adapters: array(adapter), count: whole }) }),
      },
    },
    async run({ caller, query: filter }) {
      const found = await adapters.seenBy(caller, filter);
      return { body: { data: { adapters: found.map(adapterView), count: found.length } } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/models/foundation/adapters/{adapter_id}',
    operation: 'getAdapter',
    summary: 'One adapter',
    tag,
    access: readAccess,
    params: object({ adapter_id: { type: 'string', maxLength: 200 } }),
    versioned: 'by_content',
    errors: { 404: ['adapter_not_found'] },
    answers: { 200: { description: 'As it is now', schema: object({ data: adapter }) } },
    async run({ caller, params: { adapter_id } }) {
      const found = await adapters.one(caller, adapter_id);
      if (!found)
        throw new Rejected('missing', 'adapter_not_found', `There is no adapter ${adapter_id}`, {
          adapter_id,
        });
      return { body: { data: adapterView(found) } };
    },
  }),
];

const adapterView = ({ backbone, task: of, visibility, name, owner, status, ...adapter }: Adapter) => ({
  adapter_id: adapter.adapterId,
  family: backbone.family,
  backbone_slug: backbone.slug,
  ...{ task: of, visibility, name, owner, status },
  intensity: adapter.intensity,
  lookback: adapter.lookback,
  horizon: adapter.horizon,
  training_id: adapter.trainingId,
  segment_id: adapter.segmentId,
  metrics: adapter.metrics,
  size_bytes: adapter.sizeBytes,
  created_at: iso(adapter.createdAt),
});
