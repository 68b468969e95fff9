import type { ByomCommands } from '../commands/byom.js';
import type { SampleSeries, ValidateByom } from '../commands/byom/validating.js';
import type { Context } from '../commands/engine/handle.js';
import { FileMissing } from '../commands/ports/file-store.js';
import type { Log } from '../commands/ports/log.js';
import type { CheckName } from '../domain/byom/report.js';
import { graphOf } from '../domain/byom/signature.js';
import { Cancelled } from '../domain/maths/compute.js';
import { DAY } from '../domain/time.js';
import type { ByomDoc } from '../projections/byom/documents.js';
import type { ByomQueries } from '../projections/byom/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = {
  readonly commands: Pick<ByomCommands, 'found' | 'start' | 'end' | 'use' | 'keepNetwork' | 'sweep'>;
  readonly validate: ValidateByom;
  /** The rows of a segment; null: there are none any more. */
  readonly series: (workspace: string, segmentId: string) => Promise<SampleSeries | null>;
  readonly queries: Pick<ByomQueries, 'one' | 'inStatus'>;
  readonly visible: (position: number | null) => Promise<unknown>;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: Log;
};

const EVERY_MS = 250;
const AT_ONCE = 2;
const LOOKED_AT = 100;
/** After what failed for now. */
const REST_MS = 5_000;
/** Whatever cuts it short so often is taken for the file's own doing. */
const MOST_ATTEMPTS = 3;

/**
 * Validates models that wait for it, one of a workspace at a time. What a crash cut short begins again; what
 * nobody wants any more ends.
 */
export function byomValidations(deps: Deps): Running {
  const { commands, queries, log } = deps;
  const working = new Map<string, { readonly workspace: string; readonly ending: AbortController }>();
  const resting = new Map<string, number>();
  const underWay = new Set<Promise<unknown>>();
  let sweptAt = -Infinity;

  const begin = (doc: ByomDoc): void => {
    const ending = new AbortController();
    working.set(doc._id, { workspace: doc.workspace, ending });
    const done: Promise<unknown> = work(deps, doc, ending.signal)
      .catch((err: unknown) => {
        if (err instanceof Cancelled || ending.signal.aborted) return;
        resting.set(doc._id, performance.now() + REST_MS);
        log.error({ err, byom: doc._id }, 'a model could not be validated; tried again');
      })
      .finally(() => {
        working.delete(doc._id);
        underWay.delete(done);
      });
    underWay.add(done);
  };

  const beginMore = async (goesOn: () => boolean): Promise<void> => {
    const busy = new Set([...working.values()].map(({ workspace }) => workspace));
    for (let offset = 0; ; offset += LOOKED_AT) {
      const part = await queries.inStatus('validating', LOOKED_AT, offset);
      for (const doc of part) {
        if (working.size >= AT_ONCE || !goesOn()) return;
        if (working.has(doc._id) || resting.has(doc._id) || busy.has(doc.workspace)) continue;
        busy.add(doc.workspace);
        begin(doc);
      }
      if (part.length < LOOKED_AT) return;
    }
  };

  const running = rounds(EVERY_MS, log, 'models could not be looked for; tried again', async goesOn => {
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
    for (const [id, { workspace, ending }] of working)
      if (!(await queries.one(workspace, id))) ending.abort();
    await beginMore(goesOn);
    if (!goesOn() || performance.now() - sweptAt < DAY) return;
    await commands.sweep(DAY);
    sweptAt = performance.now();
  });
  return {
    async stop() {
      await running.stop();
      for (const { ending } of working.values()) ending.abort();
      await Promise.all(underWay);
    },
  };
}

async function work(deps: Deps, { workspace, _id: byomId }: ByomDoc, signal: AbortSignal): Promise<void> {
  const { commands } = deps;
  const context: Context = {
    ...{ workspace, actor: 'scheduler:byom-validations', request: null },
    ...{ correlation: deps.newId(), causation: null, at: deps.clock() },
  };
  const { status, validation, format, sha256, signature } = await commands.found(workspace, byomId);
  if (status !== 'validating' || !validation) return;
  const of = { workspace, byomId, validationId: validation.id };
  const end = async (said: Omit<Parameters<typeof commands.end>[0], keyof typeof of>) =>
    deps.visible((await commands.end({ ...of, ...said }, { ...context, at: deps.clock() })).position);
  const reject = (name: CheckName, message: string) => {
    const check = { name, status: 'failed', message, tookMs: 0 } as const;
    return end({ as: 'rejected', checks: [check], sample: null, runtime: null, network: null });
  };
  if (validation.attempts >= MOST_ATTEMPTS) {
    await reject('forward_pass', CUT_SHORT);
    return;
  }
  await commands.start(workspace, byomId, validation.id, context);
  const series = validation.segmentId === null ? null : await deps.series(workspace, validation.segmentId);
  const validated = commands.use(workspace, byomId, path =>
    deps.validate(path, { format, sha256, signature, series }, signal, async ({ network, ...found }) => {
      const kept = network === null ? null : await commands.keepNetwork(network);
      await end({ ...found, network: kept && { ...kept, graph: graphOf(signature) } });
    }),
  );
  await validated.catch((error: unknown) => {
    if (error instanceof FileMissing) return reject('checksum', 'the file is gone: upload it again');
    throw error;
  });
}

const CUT_SHORT = 'the server was stopped or killed each time it was tried';
