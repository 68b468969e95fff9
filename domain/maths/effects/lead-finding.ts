import { relationshipType } from '../causality/network.js';
import { seeded } from '../seeded.js';
import type { Finding } from './answer.js';
import { leadAlone, leadConfounders } from './confounders.js';
import { pathIn, without } from './chosen.js';
import { frameBeside, regressorOf, shareOf, type Frame } from './frame.js';
import { zOf } from './joint.js';
import { leadLosses } from './lead-lift.js';
import { leadPath, leadRegressors, type Lead } from './leads.js';
import { liftOf } from './lift.js';
import type { Study } from './study.js';
import { NOTHING } from './untested.js';
import { CANDIDATE_Q, reasonsOf, verdictOf } from './verdict.js';

const WINDOWS = 5;
/** One-sided z of a window from which on it shows the effect. */
const SHOWS = 1;

/** What was found of a signal. */
export function leadFinding(
  study: Study,
  at: number,
  qValue: number,
  asked: { horizon: number; alpha: number; seed: number },
): Finding {
  const { signals, leads, streams, selection } = study;
  const beside = leads.beside[at]!;
  const chosen = leads.chosen.find(each => each.at === at) ?? null;
  const confoundedBy = chosen ? [] : leadConfounders(study, at);
  const measured = chosen !== null || confoundedBy.length > 0 || qValue < CANDIDATE_Q;
  const figures = measured ? figuresOf(study, chosen ?? { at, lag: beside.lag, size: 0 }, asked) : null;
  const reasons = reasonsOf({
    kind: 'signal',
    alpha: asked.alpha,
    occurrences: null,
    qValue,
    pAlone: leadAlone(study, at),
    placeboP: beside.placeboP,
    lift: figures?.lift ?? null,
    interval: figures?.liftInterval ?? null,
    stability: figures?.stability ?? null,
    preTrendP: null,
    confoundedBy,
  });
  return {
    kind: 'signal',
    sourceKey: signals[at]!.key,
    verdict: verdictOf(reasons),
    reasons,
    pValue: beside.p,
    qValue,
    placeboP: beside.placeboP,
    nOccurrences: null,
    ...(figures ?? NOTHING),
    knownInAdvance: false,
    confounders: [
      ...selection.chosen.map(each => streams[each.at]!.key),
      ...leads.chosen.flatMap(each => (each.at === at ? [] : signals[each.at]!.key)),
    ],
    confoundedBy,
  };
}

function figuresOf(study: Study, lead: Lead, asked: { horizon: number; seed: number }) {
  const { base: frame, streams, signals, selection, leads, references, plan } = study;
  const random = seeded((asked.seed ^ Math.imul(streams.length + lead.at + 1, 0x9e3779b1)) >>> 0);
  const others = leads.chosen.filter(({ at }) => at !== lead.at);
  const beside = without(frame, streams, selection.chosen);
  const free = frameBeside(beside, leadRegressors(beside, signals, others));
  const column = regressorOf(free, leadPath(frame, signals, lead));
  const { size, gain } = shareOf(free, column);
  const losses = leadLosses({
    y: frame.y,
    step: frame.step,
    references,
    signal: signals[lead.at]!.values,
    maxLag: plan.maxLag,
    ownPast: plan.ownPast,
    others: [
      ...selection.chosen.map(each => ({ path: pathIn(frame, streams, each) })),
      ...others.map(each => ({ path: leadPath(frame, signals, each) })),
    ],
    horizon: asked.horizon,
  });
  const lift = liftOf(losses, random);
  const all = free.errors.reduce((sum, x) => sum + x * x, 0);
  const strength = all > 0 ? Math.min(1, gain / all) : 0;
  return {
    ...NOTHING,
    direction: size >= 0 ? ('positive' as const) : ('negative' as const),
    lift: lift?.lift ?? null,
    liftInterval: lift?.interval ?? null,
    optimalLagS: (lead.lag * frame.step.ms) / 1000,
    stability: stabilityOf(free, column, Math.sign(size)),
    strength,
    relationshipType: relationshipType(strength),
  };
}

/** Share of windows of time, equally long, in which the effect has its sign and stands out of the noise. */
function stabilityOf(frame: Frame, column: Float64Array, sign: number): number {
  const { n } = frame;
  const place = (t: number): number => Math.min(WINDOWS - 1, Math.floor((t * WINDOWS) / n));
  const columns = Array.from({ length: WINDOWS }, (_, w) => column.map((x, t) => (place(t) === w ? x : 0)));
  const shows = columns.filter((own, w) => {
    const others = columns.filter((_, at) => at !== w);
    return sign * zOf([...others, own], frame) >= SHOWS;
  });
  return shows.length / WINDOWS;
}
