import type { Context } from '../../commands/engine/handle.js';
import type { GivenEventConfig } from '../../domain/ingestion/event-config.js';
import type { Config } from '../../domain/ingestion/masking.js';
import { firstJobOf, intervalIn } from '../../domain/ingestion/polls/jobs.js';
import { notValid } from '../edge/errors.js';
import type { Connector } from './connectors.js';
import { mindJobs, type IngestionDeps } from './deps.js';
import { checkedConfig } from './making.js';
import { restPoll } from './poll-connectors.js';
import { checkPolled, newPoll, restIn } from './poll-sources.js';
import { urlsOf } from './source-views.js';

type Given = GivenEventConfig & Config;
type Wanted = {
  readonly name?: string | null;
  readonly config?: Config;
  readonly event_config?: Given;
};

/** What a source asks for: what `event_config` says of it, and over that what `config` does. */
export const askedIn = (connector: Connector, config: Config = {}, given: Given = {}): Config =>
  connector === restPoll ? { ...restIn(given), ...config } : config;

/** Makes a source that is asked, and its first job. @throws Rejected 403, 422 */
export async function madePoll(
  deps: IngestionDeps,
  connector: Connector,
  { name, config: given, event_config = {} }: Wanted,
  context: Context,
) {
  const workspace = context.workspace!;
  await mindJobs(deps, workspace);
  const asked = askedIn(connector, given, event_config);
  const at = given ? 'config' : 'event_config';
  if (at === 'event_config' && connector === restPoll && asked['url'] === undefined)
    throw notValid([{ loc: ['body', at, 'url'], msg: 'is required', type: 'required' }]);
  const config = checkedConfig(connector, asked);
  await checkPolled(config, at, checked => deps.refusal(connector.id, checked));
  const wanted = newPoll(connector, name ?? undefined, config, event_config);
  const made = await deps.sources.create(workspace, wanted, context);
  // Waits for the source, on which the job stands
  await deps.visible(made.position);
  const { jobId, position } = await deps.jobs.first(workspace, made.sourceId, intervalIn(config), context);
  await deps.visible(position);
  return { ...made, jobId };
}

/** The short way to an address that is asked for events: spec 4.7. */
export async function madeRestPoll(deps: IngestionDeps, body: Wanted, context: Context) {
  const { name, event_config } = body;
  const made = await madePoll(deps, restPoll, { name, event_config } as Wanted, context);
  const data = {
    ...{ status: 'created', source_id: made.sourceId, kind: 'event', mode: 'poll' },
    ...{ stream: made.source.eventConfig.stream, job_ids: [made.jobId] },
    ...urlsOf(deps.publicUrl(), made.sourceId, false),
    webhook_secret: null,
    message: 'It is asked for the first time just now, and then by its schedule.',
  };
  return { body: { data } };
}

/** Holds a changed config to what the connector asks for, and its first job to its interval. */
export async function changedPoll(
  deps: IngestionDeps,
  connector: Connector,
  { before, now }: { readonly before: Config; readonly now: Config },
) {
  await checkPolled(now, 'config', asked => deps.refusal(connector.id, asked));
  const intervalSeconds = intervalIn(now);
  if (intervalIn(before) === intervalSeconds) return null;
  return async (workspace: string, sourceId: string, context: Context) => {
    const jobId = firstJobOf(sourceId);
    if (!(await deps.polls.job(workspace, jobId))) return;
    const data = { workspace, jobId, schedule: { intervalSeconds }, seen: null };
    const { position } = await deps.jobs.change(data, context);
    await deps.visible(position);
  };
}
