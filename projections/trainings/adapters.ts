import type { Fact } from '../../domain/fact.js';
import type { TrainingCompleted, TrainingFact, TrainingQueued } from '../../domain/trainings/facts.js';
import { trainingDocId, type AdapterDoc } from './documents.js';

/** The adapter that a queued training is to make, under the id of the training; null: it makes none. */
export function adapterOf({ data, meta, at }: Fact<TrainingQueued>): AdapterDoc | null {
  const { what, blueprint, trainingId, segmentId, owner } = data;
  if (what.kind !== 'foundation') return null;
  const { model, task, intensity, lookback, horizon } = what.fineTune;
  return {
    _id: trainingDocId(meta.workspace!, trainingId),
    adapter_id: what.adapterId,
    workspace: meta.workspace!,
    training_id: trainingId,
    segment_id: segmentId,
    owner,
    backbone: model,
    ...{ family: model.family, slug: model.slug, task, intensity, lookback, horizon },
    // What somebody learnt with the public blueprint of another is not for that public, too
    visibility: blueprint.owner === owner ? blueprint.visibility : 'private',
    ...{ name: blueprint.name, description: blueprint.description },
    status: 'training',
    metrics: {},
    servable: null,
    created_at: at,
  };
}

/** What a fact of its training makes of an adapter. */
export function adapterAfter(doc: AdapterDoc, fact: Fact<TrainingFact>): AdapterDoc {
  switch (fact.type) {
    case 'TrainingCompleted':
      return completed(doc, fact.data);
    case 'TrainingFailed':
    case 'TrainingSkipped':
    case 'TrainingCancelled':
      return { ...doc, status: 'failed' };
    case 'TrainingPrepared':
      return { ...doc, horizon: fact.data.horizon };
    default:
      return doc;
  }
}

/** Where it is no better than its backbone nothing is kept: `kept` says so among the metrics. */
function completed(doc: AdapterDoc, { servable, metrics, score }: TrainingCompleted['data']): AdapterDoc {
  const known = Object.entries({ ...metrics, score }).filter(
    (entry): entry is [string, number] => entry[1] !== null,
  );
  return {
    ...doc,
    status: servable ? 'ready' : 'archived',
    metrics: { ...Object.fromEntries(known), kept: Number(servable !== null) },
    servable,
  };
}
