import { opened } from '../../adapters/sending.js';
import { artifactFile } from '../../adapters/trainings/keeping.js';
import { fileOf } from '../../commands/byom.js';
import type { ModelRef } from '../../domain/models/hosted.js';
import { MADE } from '../../domain/models/made.js';
import type { Platform } from '../../main.js';
import { ok, problem, warning, type Finding } from './finding.js';

/** What the read models name: who needs it, and a look at it that rejects where it is not as it was. */
type Named = { readonly of: string; readonly look: () => Promise<unknown> };
type Examined = { readonly all: number; readonly lost: readonly string[] };

/** Reads every file that trainings made and that people uploaded. */
export const madeFiles = async (platform: Platform): Promise<Finding[]> => {
  const models = await examined(madeModels(platform));
  const reports = await examined(reportsIn(platform));
  const downloads = await examined(downloadsIn(platform));
  return [
    finding(problem, 'made models', models, `${BACK}; until then they serve nothing`),
    finding(warning, 'reports', reports, `${BACK}; until then they answer 410 report_not_kept`),
    finding(warning, 'uploads', downloads, `${BACK}; until then downloads answer 410 file_not_kept`),
  ];
};

const BACK = 'put models/, trainings/ and files/ (MongoDB: those of GridFS) back from a backup';
/** So many are named. */
const SHOWN = 5;

async function examined(named: AsyncIterable<Named>): Promise<Examined> {
  const lost: string[] = [];
  let all = 0;
  for await (const { of, look } of named) {
    all++;
    await look().catch((error: Error) => lost.push(`${of} (${error.message})`));
  }
  return { all, lost };
}

function finding(bad: typeof problem, part: string, { all, lost }: Examined, todo: string): Finding {
  if (lost.length === 0) return ok(part, all === 0 ? 'there are none' : `${all}: every file is as it was`);
  const more = lost.length > SHOWN ? `, and ${lost.length - SHOWN} more` : '';
  const text = `${lost.length} of ${all} lack what they need: ${lost.slice(0, SHOWN).join(', ')}${more}`;
  return bad(part, text, todo);
}

async function* madeModels({ areas, stores }: Platform): AsyncGenerator<Named> {
  const model = (ref: ModelRef): Named => ({
    of: `${ref.family}/${ref.slug}`,
    async look() {
      const found = await areas.deployments.hosted.find(ref);
      if (found?.lost !== undefined) throw new Error(found.lost);
      if (found) await stores.modelFiles.verify(found);
    },
  });
  for await (const page of areas.trainings.queries.everyCompleted())
    for (const { servable, what, training_id: slug } of page)
      if (servable)
        yield model(
          what.kind === 'foundation'
            ? { family: MADE.adapter, slug: what.adapterId }
            : { family: MADE.training, slug },
        );
  for await (const page of areas.byom.queries.every())
    for (const { _id: slug, status } of page)
      if (status === 'registered') yield model({ family: MADE.byom, slug });
}

async function* reportsIn({ areas, stores }: Platform): AsyncGenerator<Named> {
  for await (const page of areas.trainings.queries.everyCompleted())
    for (const { training_id: of, report, points } of page)
      for (const sha256 of [report, points])
        if (sha256 !== null) yield { of, look: () => stores.trainings.get(of, sha256) };
}

async function* downloadsIn({ areas, stores }: Platform): AsyncGenerator<Named> {
  const file = (of: string, name: string, sha256: string): Named => ({
    of,
    look: async () => (await opened(stores.files, name, sha256)).destroy(),
  });
  for await (const page of areas.trainings.queries.everyCompleted())
    for (const { training_id, artifact } of page)
      if (artifact) yield file(training_id, artifactFile(artifact.sha256), artifact.sha256);
  for await (const page of areas.byom.queries.every())
    for (const { _id, workspace, status, sha256 } of page)
      if (status !== 'deleted') yield file(_id, fileOf(workspace, _id), sha256);
}
