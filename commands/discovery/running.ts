import { alphaFor, type DiscoveryWarning, type TestedSource } from '../../domain/discovery/facts.js';
import { isOpen, type KnownDiscovery } from '../../domain/discovery/state.js';
import type { TargetOf } from '../../domain/goals/ports.js';
import { isOtherSeries, type GoalState } from '../../domain/goals/state.js';
import { Cancelled, type Compute } from '../../domain/maths/compute.js';
import type { EffectsAnswer, Finding } from '../../domain/maths/effects/answer.js';
import { CANDIDATE_Q } from '../../domain/maths/effects/verdict.js';
import type { Tasks } from '../../domain/maths/tasks.js';
import { Rejected } from '../../domain/rejected.js';
import { edgeIdOf, measuredOf, type EdgeCommands } from '../edges/records.js';
import type { Context } from '../engine/handle.js';
import type { Log } from '../ports/log.js';
import { candidatesOf, MOST_SOURCES, type Known } from './candidates.js';
import { gathered, MOST_STEPS } from './gathering.js';
import type { DiscoveryReads } from './ports.js';
import type { DiscoveryCommands, OfDiscovery } from './records.js';

export type RunningDeps = {
  readonly commands: DiscoveryCommands;
  readonly edges: Pick<EdgeCommands, 'check'>;
  /** All edges of a goal, of whatever status. */
  readonly known: (workspace: string, goalId: string) => Promise<readonly Known[]>;
  readonly goal: (of: { readonly workspace: string; readonly goalId: string }) => Promise<GoalState>;
  readonly targetOf: TargetOf;
  readonly reads: DiscoveryReads;
  readonly compute: Pick<Compute<Tasks>, 'run'>;
  readonly clock: () => number;
  readonly log: Log;
};

/** Longest time in the queue of the pool, and again at work; others have their share of it meanwhile. */
const POOLED = { withinMs: 600_000, patient: true } as const;

/**
 * Runs a discovery from where it stands to its end: what is known of target and sources at its `asOf`, what
 * the one does to the other, and what becomes of the edges. Answers the position of its last fact; null: it
 * is over, or nobody wants it any more (`signal`). After a kill what was read and computed is so again, to
 * the same bit, and each edge takes it in once.
 * @throws what keeps the stores from being written to, or computing from being done now; it is gone on with
 */
export async function runDiscovery(
  deps: RunningDeps,
  of: OfDiscovery,
  context: Context,
  signal: AbortSignal,
): Promise<number | null> {
  const { commands } = deps;
  const now = (): Context => ({ ...context, at: deps.clock() });
  const before = await commands.read(of);
  if (!isOpen(before.status)) return null;
  if (await isUnwanted(deps, of, before)) return (await commands.cancel(of, now())).position;
  try {
    const answer = await tested(deps, of, before, now, signal);
    if (await isUnwanted(deps, of, before)) return (await commands.cancel(of, now())).position;
    if (!(await withEdges(deps, of, answer, now, signal))) return null;
    return (await commands.complete(of, now())).position;
  } catch (error) {
    if (signal.aborted || error instanceof Cancelled) return null;
    if (!(error instanceof Rejected) || error.kind === 'unavailable') throw error;
    return (await commands.fail(of, error, now())).position;
  }
}

/** The goal has gone, or is of another series now. */
async function isUnwanted(
  { goal }: RunningDeps,
  { workspace }: OfDiscovery,
  { started: { goalId, subject } }: KnownDiscovery,
): Promise<boolean> {
  const found = await goal({ workspace, goalId });
  return found.status === 'none' || isOtherSeries(subject, found.settings);
}

/** What was found of all sources that are looked at together. */
async function tested(
  deps: RunningDeps,
  of: OfDiscovery,
  { started, began: old }: KnownDiscovery,
  now: () => Context,
  signal: AbortSignal,
): Promise<EffectsAnswer> {
  const { commands, reads, targetOf, compute, log } = deps;
  const { workspace, discoveryId } = of;
  const { subject, scope, goalId, asOf } = started;
  const history = await targetOf(workspace, subject, { asOf, most: MOST_STEPS });
  if (!old) {
    const goal = await deps.goal({ workspace, goalId });
    const isOfFleet = goal.status !== 'none' && goal.fleetId !== null;
    const asked = { workspace, target: subject.target, isOfFleet, scope };
    const chosen = await candidatesOf(reads, asked, await deps.known(workspace, goalId));
    await commands.begin(workspace, { discoveryId, ...chosen }, now());
  }
  const { began } = await commands.read(of);
  // It was over before it could begin
  if (!began) throw new Cancelled();
  const { sources, edgeIds, leftOut } = began;
  const { question, ...read } = await gathered(reads, workspace, started, history, sources, signal);
  await commands.gathered(workspace, { discoveryId, ...read }, now());
  const answer = await compute
    .run('discover', question, { lane: workspace, signal, ...POOLED })
    .catch((err: unknown) => {
      if (err instanceof Rejected || err instanceof Cancelled) throw err;
      // The same question would end so again
      log.error({ err, discovery: discoveryId }, 'a discovery could not be computed');
      throw new Rejected('conflict', 'internal_error', 'The discovery could not be computed');
    });
  const results = toldOf(answer.findings, { goalId, edgeIds, asked: askedOf(started) });
  const warnings: DiscoveryWarning[] = [...answer.warnings];
  if (leftOut > 0)
    warnings.push({
      code: 'candidates_cut',
      text: `${leftOut} sources were left out: at most ${MOST_SOURCES} of each kind are looked at together`,
    });
  const { multipleTesting, settings: used } = answer;
  await commands.tested(
    workspace,
    { discoveryId, used, tests: multipleTesting.tests, results, warnings },
    now(),
  );
  return answer;
}

type Wants = (source: Pick<Finding, 'kind' | 'sourceKey'>) => boolean;
/** Whether a source was asked for; edges that stand beside it are looked at for its sake alone. */
const askedOf = ({ scope, goalId }: KnownDiscovery['started']): Wants => {
  if (scope.kind === 'search')
    return ({ kind, sourceKey }) => {
      const wanted = kind === 'signal' ? scope.signals : scope.eventStreams;
      return wanted === 'all' || wanted.includes(sourceKey);
    };
  const asked = new Set(scope.edgeIds);
  return ({ kind, sourceKey }) => asked.has(edgeIdOf({ goalId, kind, sourceKey }));
};

const isFound = ({ verdict, qValue }: Finding): boolean =>
  verdict === 'validated' || (qValue !== null && qValue < CANDIDATE_Q);

function toldOf(
  findings: readonly Finding[],
  of: { readonly goalId: string; readonly edgeIds: readonly string[]; readonly asked: Wants },
): TestedSource[] {
  const known = new Set(of.edgeIds);
  return findings.flatMap(finding => {
    const { kind, sourceKey, verdict, reasons } = finding;
    const edgeId = edgeIdOf({ goalId: of.goalId, kind, sourceKey });
    if (!of.asked(finding)) return [];
    const { responseCurve: _, response: __, ...measured } = measuredOf(finding);
    return [
      {
        ...{ kind, sourceKey, reasons, measured },
        edgeId: isFound(finding) || known.has(edgeId) ? edgeId : null,
        verdict: verdictOf(finding, verdict),
      },
    ];
  });
}

function verdictOf(finding: Finding, verdict: Finding['verdict']): TestedSource['verdict'] {
  if (verdict === 'validated' || verdict === 'untested') return verdict;
  return isFound(finding) ? 'candidate' : 'rejected';
}

/** Whether all edges took in what was found of them. */
async function withEdges(
  { commands, edges }: RunningDeps,
  of: OfDiscovery,
  { findings }: EffectsAnswer,
  now: () => Context,
  signal: AbortSignal,
): Promise<boolean> {
  const { started } = await commands.read(of);
  const { goalId, asOf } = started;
  const asked = askedOf(started);
  for (const finding of findings) {
    if (signal.aborted) return false;
    if (!asked(finding)) continue;
    const { kind, sourceKey } = finding;
    const alpha = alphaFor(started, edgeIdOf({ goalId, kind, sourceKey }));
    const check = { checkId: of.discoveryId, asOf, alpha };
    await edges.check(of.workspace, goalId, finding, check, now());
  }
  return true;
}
