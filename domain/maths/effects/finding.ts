import { relationshipType } from '../causality/network.js';
import { seeded } from '../seeded.js';
import type { Direction, Finding, Response } from './answer.js';
import { streamConfounders } from './confounders.js';
import { responseCurve } from './curve.js';
import { fitted, type Fit } from './fit.js';
import { preTrendP, stabilityOf, strengthOf } from './joint.js';
import { total } from './learning.js';
import { eventLosses, liftOf } from './lift.js';
import { pathIn, without, type Chosen } from './chosen.js';
import { leadPath } from './leads.js';
import { peakOf, shapesWithin } from './shapes.js';
import type { Study } from './study.js';
import { NOTHING } from './untested.js';
import { CANDIDATE_Q, reasonsOf, verdictOf } from './verdict.js';

/** What was found of a stream. */
export function streamFinding(
  study: Study,
  at: number,
  qValue: number,
  asked: { horizon: number; alpha: number; seed: number },
): Finding {
  const { streams, selection } = study;
  const stream = streams[at]!;
  const beside = selection.beside[at]!;
  const chosen = selection.chosen.find(each => each.at === at) ?? null;
  const confoundedBy = chosen ? [] : streamConfounders(study, at, () => fitAlone(study, at));
  const confounders = [
    ...selection.chosen.flatMap(each => (each.at === at ? [] : streams[each.at]!.key)),
    ...study.leads.chosen.map(each => study.signals[each.at]!.key),
  ];
  const measured = chosen || confoundedBy.length > 0 || qValue < CANDIDATE_Q;
  const tested = (): Chosen => chosen ?? { at, weighing: beside.weighing, fit: fitAlone(study, at) };
  const figures = measured ? figuresOf(study, tested(), asked) : null;
  const reasons = reasonsOf({
    kind: 'event_stream',
    alpha: asked.alpha,
    occurrences: stream.events.length,
    qValue,
    pAlone: Math.min(selection.alone[at]!.p, study.first[at]!.p, study.withSeason?.[at]?.p ?? 1),
    placeboP: beside.placeboP,
    lift: figures?.lift ?? null,
    interval: figures?.liftInterval ?? null,
    stability: figures?.stability ?? null,
    preTrendP: stream.knownInAdvance ? null : (figures?.responseCurve.preTrendP ?? null),
    confoundedBy,
  });
  return {
    kind: 'event_stream',
    sourceKey: stream.key,
    verdict: verdictOf(reasons),
    reasons,
    pValue: beside.p,
    qValue,
    placeboP: beside.placeboP,
    nOccurrences: stream.events.length,
    ...(figures ?? NOTHING),
    knownInAdvance: stream.knownInAdvance,
    confounders,
    confoundedBy,
  };
}

function fitAlone(study: Study, at: number): Fit {
  const { scan, weighing } = study.selection.beside[at]!;
  const shape = shapesWithin(study.frame.n)[scan.shape]!;
  return fitted(study.frame, study.streams[at]!.weighings[weighing]!, [shape]);
}

function figuresOf(study: Study, tested: Chosen, asked: { horizon: number; seed: number }) {
  const { frame, streams, selection, paths, leads, leadPaths } = study;
  const { at, weighing, fit } = tested;
  const stream = streams[at]!;
  const random = seeded((asked.seed ^ Math.imul(at + 1, 0x9e3779b1)) >>> 0);
  const others = selection.chosen.flatMap((each, i) => (each.at === at ? [] : { each, path: paths[i]! }));
  const free = without(
    frame,
    streams,
    others.map(({ each }) => each),
  );
  const occurrences = stream.weighings[weighing]!;
  const acting = [
    ...others.map(({ each }) => ({ path: pathIn(frame, streams, each) })),
    ...leads.chosen.map(each => ({ path: leadPath(frame, study.signals, each) })),
  ];
  const losses = eventLosses(frame.y, frame.step, frame.reference, occurrences, acting, asked.horizon);
  const lift = liftOf(losses, random);
  const sum = total(frame.n, [...others.map(({ path }) => path), ...leadPaths]);
  const p = preTrendP(free, occurrences, fit);
  const seconds = frame.step.ms / 1000;
  const strength = strengthOf(free, pathIn(frame, streams, tested), fit.size);
  const response: Response = {
    amplitude: fit.size,
    delayS: fit.shape.delay * seconds,
    peakS: peakOf(fit.shape) * seconds,
    halfLifeS: fit.shape.halfLife * seconds,
    form: fit.shape.form,
    weighing: stream.kinds[weighing]!,
  };
  return {
    direction: directionOf(fit.size, occurrences.weights),
    lift: lift?.lift ?? null,
    liftInterval: lift?.interval ?? null,
    optimalLagS: response.peakS,
    halfLifeS: Math.max(1, Math.round(fit.halfLife * seconds)),
    halfLifeInterval: fit.halfLives.map(steps => Math.max(1, Math.round(steps * seconds))) as [
      number,
      number,
    ],
    responseCurve: responseCurve(free, occurrences, fit, sum, p, random),
    response,
    stability: stabilityOf(free, occurrences, fit),
    strength,
    relationshipType: relationshipType(strength),
  };
}

/** Mixed where the events' own signs differ: at least a fifth of their weight goes the other way. */
function directionOf(size: number, weights: Float64Array): Direction {
  const up = weights.reduce((sum, x) => sum + Math.max(0, x), 0);
  const down = weights.reduce((sum, x) => sum + Math.max(0, -x), 0);
  if (Math.min(up, down) >= 0.2 * (up + down)) return 'mixed';
  return size * (up - down) > 0 ? 'positive' : 'negative';
}
