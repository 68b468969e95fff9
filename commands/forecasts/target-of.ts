import { insufficient } from '../../domain/inference/history.js';
import type { TargetHistory, TargetOf } from '../../domain/goals/ports.js';
import { onSteps } from '../../domain/forecasts/target.js';
import { Rejected } from '../../domain/rejected.js';
import type { Columns } from '../../domain/signals/points.js';
import { readOf, type SignalAt, type SignalReads } from '../inference/histories.js';

type Deps = {
  readonly reads: Pick<SignalReads, 'find' | 'newest' | 'upTo'>;
  readonly clock: () => number;
};
type Asked = Parameters<TargetOf>[2];

/** Of a finer target no more points are read at once. */
const MOST_POINTS = 400_000;

/** The target of a goal as its signal tells it; see `TargetOf`. */
export const targetOf =
  ({ reads, clock }: Deps): TargetOf =>
  async (workspace, target, { asOf, most, now: given }): Promise<TargetHistory> => {
    const now = given ?? asOf ?? clock();
    const upTo = await reads.upTo();
    const signal = await reads.find(workspace, target.target);
    if (!signal) throw noTarget(target.target);
    const found = await newestSteps(reads, signal, target, { asOf, most, now });
    if (!found) throw insufficient(target.target, 0);
    const { series, points, cutoff } = found;
    return { series, cutoff, upTo, read: readOf(workspace, signal, asOf, points) };
  };

/** The newest points that fill so many steps: more of them where steps hold several. */
async function newestSteps(
  reads: Deps['reads'],
  { place }: SignalAt,
  target: Parameters<TargetOf>[1],
  { asOf, most, now }: Asked & { readonly now: number },
) {
  for (let count = most; ; ) {
    const points: Columns = await reads.newest(place, Math.min(count, MOST_POINTS), asOf);
    const found = onSteps(target, points, { most, now });
    const isAll = points.times.length < count || count >= MOST_POINTS;
    if (isAll || (found?.series.values.length ?? 0) >= most) return found;
    const steps = Math.max(1, found?.series.values.length ?? 0);
    count = Math.max(2 * count, Math.ceil((1.1 * count * most) / steps));
  }
}

export const noTarget = (target: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no signal '${target}'`, { key: target });
