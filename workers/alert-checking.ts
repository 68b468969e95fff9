import type { Looking } from '../commands/alerts/looking.js';
import { atEvent, isAwaited, ofStep } from '../commands/alerts/looking.js';
import { checkOf, type AlertCommands } from '../commands/alerts/records.js';
import type { CameEvent } from '../commands/alerts/ports.js';
import type { Context } from '../commands/engine/handle.js';
import { turns } from '../commands/engine/turns.js';
import type { Check } from '../domain/alerts/commands.js';
import { freshOf, knownFrom } from '../domain/alerts/fresh.js';
import { isOfStep, natures, type AlertKind } from '../domain/alerts/kinds.js';
import type { EventCameDue, EventScored } from '../domain/events/facts.js';
import type { Fact, Message } from '../domain/fact.js';
import type { GoalActualsCame, GoalForecastIssued } from '../domain/forecasts/facts.js';
import type { GoalSettings } from '../domain/goals/settings.js';
import { DAY } from '../domain/time.js';
import { streamKey, type AlertDoc } from '../projections/alerts/documents.js';
import type { AlertQueries } from '../projections/alerts/queries.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { Reactor } from './engine/reactor.js';

export type CheckingDeps = {
  readonly queries: Pick<AlertQueries, 'ofGoal' | 'ofStream' | 'streams'>;
  readonly commands: Pick<AlertCommands, 'check'>;
  readonly look: Looking;
  /** Null: it is not active. */
  readonly settingsOf: (workspace: string, goalId: string) => Promise<GoalSettings | null>;
  /** Facts of others by which the state of a goal changes; each names its goal. */
  readonly checkedOn: readonly string[];
  /** What an archived workspace has rests. */
  readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
  /** Resolves true when the read models that alerts are judged by hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
  /** This process alone checks as long as it runs: it may remember at which streams rules wait. */
  readonly alone: boolean;
};
type OfGoal = Message<string, { readonly goalId: string }>;
type Rule = AlertDoc & { readonly goal: string | null };

/** An event that was scored long after it came says nothing new: it is scored again. */
const NEW_FOR = DAY;

/** Checks rules at what they wait for: actuals, forecasts, events, and what becomes of a goal. */
export function alertChecking(deps: CheckingDeps): Reactor {
  const { queries, commands, look, settingsOf, checkedOn, caughtUp, alone } = deps;
  const inTurn = turns<void>();
  const streams = new Set<string>();
  let loading: Promise<void> | null = null;
  const upToDate = async ({ position }: Fact): Promise<void> => {
    if (!(await caughtUp(position)))
      throw new ReadModelsBehind(`the read models do not hold ${position} yet`);
  };
  const load = async (fact: Fact): Promise<void> => {
    await upToDate(fact);
    for await (const page of queries.streams()) for (const stream of page) streams.add(stream);
  };
  /** Events of streams at which no rule waits, which most are, cost nothing. */
  const isWaitedAt = async (fact: Fact, stream: string): Promise<boolean> => {
    if (!alone) return true;
    loading ??= load(fact).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    await loading;
    return streams.has(stream);
  };

  const check = async (rule: Rule, checks: readonly Check[], { position }: Fact, context: Context) => {
    if (checks.length > 0) await commands.check(ofRule(rule), checks, position, context);
  };

  /** Rules of some kinds of an active goal. */
  const rulesOf = async (fact: Fact<OfGoal>, isMeant: (kind: AlertKind) => boolean) => {
    const workspace = fact.meta.workspace!;
    await upToDate(fact);
    const all = await queries.ofGoal(workspace, fact.data.goalId);
    const rules = all.filter(({ enabled, kind }) => enabled && isMeant(kind));
    if (rules.length === 0 || (await deps.isArchived(workspace))) return null;
    const settings = await settingsOf(workspace, fact.data.goalId);
    return settings && { rules, goal: { goalId: fact.data.goalId, settings } };
  };
  const lookedAt = (
    { workspace, state }: Rule,
    goal: { goalId: string; settings: GoalSettings },
    at: number,
  ) => ({
    ...{ workspace, watched: state.settings.watched, goal, now: at },
  });

  /** A forecast of the cadence is its beat, too, also where no round came to see it. */
  const issued = async (fact: Fact<GoalForecastIssued>, context: Context): Promise<void> => {
    const found = await rulesOf(fact, kind => natures[kind].at !== 'actuals');
    const { dueAt } = fact.data;
    const looks = look.together();
    for (const rule of found?.rules ?? []) {
      const looked = lookedAt(rule, found!.goal, context.at);
      const isOn = natures[rule.kind].at === 'forecasts';
      const seen = await (isOn ? looks.atForecast(looked, fact.data) : looks.now(looked));
      const key = seen?.key ?? (dueAt === null ? fact.id : `beat:${dueAt}`);
      if (seen) await check(rule, [checkOf(ofRule(rule), key, seen.verdict)], fact, context);
    }
  };

  const came = async (fact: Fact<GoalActualsCame>, context: Context): Promise<void> => {
    const found = await rulesOf(fact, kind => ['actuals', 'state'].includes(natures[kind].at));
    if (!found) return;
    const { rules, goal } = found;
    const looks = look.together();
    const from = knownFrom(fact.data.steps, goal.settings);
    const known = await looks.actuals(fact.meta.workspace!, goal.goalId, from);
    const steps = freshOf(fact.data.steps, known, goal.settings);
    for (const rule of rules) {
      const looked = lookedAt(rule, goal, context.at);
      if (!isOfStep(rule.kind)) {
        const seen = steps.length > 0 ? await looks.now(looked) : null;
        if (seen) await check(rule, [checkOf(ofRule(rule), fact.id, seen.verdict)], fact, context);
        continue;
      }
      const checks: Check[] = [];
      for (const step of steps) {
        const verdict = await looks.atActual(looked, step);
        if (verdict) checks.push(checkOf(ofRule(rule), ofStep(step), verdict));
      }
      await check(rule, checks, fact, context);
    }
  };

  const became = async (fact: Fact<OfGoal>, context: Context): Promise<void> => {
    const found = await rulesOf(fact, kind => kind === 'shock' || kind === 'edge_weakening');
    for (const rule of found?.rules ?? []) {
      const seen = await look.now(lookedAt(rule, found!.goal, context.at));
      if (seen) await check(rule, [checkOf(ofRule(rule), fact.id, seen.verdict)], fact, context);
    }
  };

  /** One that is still to come is waited for: then it comes due. */
  const event = async (fact: Fact<EventScored | EventCameDue>, context: Context): Promise<void> => {
    const { key } = fact.data;
    const workspace = fact.meta.workspace!;
    if (!(await isWaitedAt(fact, streamKey(workspace, key)))) return;
    await upToDate(fact);
    let found: CameEvent | null = null;
    for await (const rules of queries.ofStream(workspace, key)) {
      found ??= await newEvent(fact, context.at);
      if (!found) return;
      await checkAt(found, rules, fact, context);
    }
  };

  /** Null: nothing is to be told of it. */
  const newEvent = async ({ data, meta, at }: Fact<EventScored | EventCameDue>, now: number) => {
    const workspace = meta.workspace!;
    if (await deps.isArchived(workspace)) return null;
    const found = await look.event(workspace, data.eventId);
    if (!found || found.occurredAt > now) return null;
    return at - Math.max(found.recordedAt, found.occurredAt) > NEW_FOR ? null : found;
  };

  const checkAt = async (found: CameEvent, rules: readonly Rule[], fact: Fact, context: Context) => {
    const workspace = fact.meta.workspace!;
    for (const rule of rules) {
      const { watched } = rule.state.settings;
      if (watched.kind !== 'event') continue;
      const goal = rule.goal_id === null ? null : await settingsOf(workspace, rule.goal_id);
      const isAtRest = rule.goal_id !== null && goal === null;
      if (isAtRest || !isAwaited(watched.params, found, goal)) continue;
      const { verdict, key: name } = atEvent(watched.params, found);
      await check(rule, [checkOf(ofRule(rule), name!, verdict)], fact, context);
    }
  };

  /** What comes of one goal, or of one stream, is taken in its order. */
  const inOrder =
    <M extends Message>(
      name: (fact: Fact<M>) => string,
      answer: (fact: Fact<M>, context: Context) => Promise<void>,
    ) =>
    (fact: Fact<M>, context: Context): Promise<void> =>
      inTurn(`${fact.meta.workspace}/${name(fact)}`, () => answer(fact, context));
  const ofGoal = ({ data }: Fact<OfGoal>): string => data.goalId;
  const ofStream = ({ data }: Fact<EventScored | EventCameDue>): string => `stream ${data.key}`;
  const remember = async ({
    data,
    meta,
  }: Fact<Message<string, { readonly settings: AlertDoc['state']['settings'] }>>) => {
    const { params } = data.settings.watched;
    if ('stream' in params) streams.add(streamKey(meta.workspace!, params.stream));
  };
  return {
    name: 'alert-checking',
    concurrency: 8,
    on: {
      ...Object.fromEntries(checkedOn.map(type => [type, inOrder<OfGoal>(ofGoal, became)])),
      GoalForecastIssued: inOrder<GoalForecastIssued>(ofGoal, issued),
      GoalActualsCame: inOrder<GoalActualsCame>(ofGoal, came),
      EventScored: inOrder<EventScored>(ofStream, event),
      EventCameDue: inOrder<EventCameDue>(ofStream, event),
      AlertCreated: remember,
      AlertChanged: remember,
    },
  };
}

const ofRule = ({ workspace, alert_id: alertId }: Rule) => ({ workspace, alertId });
