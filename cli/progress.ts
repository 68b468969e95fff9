import cliProgress from 'cli-progress';
import type { Progress } from '../workers/rebuild.js';

/** Shows how far a replay is; `end` clears the way for other lines. */
export type ProgressView = { readonly show: (now: Progress) => void; readonly end: () => void };

const EVERY_MS = 2_000;
const SCALE = 1_000;

/** A bar in a terminal, elsewhere a plain line now and then; both on stderr. */
export const progressView = (): ProgressView => process.stderr.isTTY ? bar() : plainLines();

function bar(): ProgressView {
  const drawn = new cliProgress.SingleBar({
    format: '{label} [{bar}] {percentage}%  {figures}', barsize: 30,
    stream: process.stderr, hideCursor: true, clearOnComplete: true,
  }, cliProgress.Presets.legacy);
  let timing: Timing | null = null;
  return {
    show(now) {
      const said = wording(now, timing = timed(timing, now));
      if (!drawn.isActive) drawn.start(SCALE, 0, said);
      drawn.update(Math.round(shareOf(now) * SCALE), said);
    },
    end() {
      if (drawn.isActive) drawn.stop();
    },
  };
}

function plainLines(): ProgressView {
  let timing: Timing | null = null, said = Date.now();
  return {
    show(now) {
      timing = timed(timing, now);
      if (Date.now() - said < EVERY_MS) return;
      said = Date.now();
      const { label, figures } = wording(now, timing);
      process.stderr.write(`${label} ${Math.round(shareOf(now) * 100)}%  ${figures}\n`);
    },
    end: () => undefined,
  };
}

/** When a phase of a projection began, and with how much done. */
type Timing = { readonly what: string; readonly since: number; readonly share: number; readonly facts: number };

const labelOf = ({ projection, phase }: Progress): string => `${projection}: ${phase}`;
const shareOf = ({ at, head }: Progress): number => head <= 0 ? 1 : Math.min(1, Math.max(0, at) / head);

const timed = (timing: Timing | null, now: Progress): Timing => timing?.what === labelOf(now)
  ? timing
  : { what: labelOf(now), since: Date.now(), share: shareOf(now), facts: now.facts };

function wording(now: Progress, { since, share, facts }: Timing): { label: string; figures: string } {
  const label = labelOf(now), seconds = (Date.now() - since) / 1000;
  if (now.phase === 'comparing') return { label, figures: `${now.documents} documents` };
  if (now.phase === 'switching') return { label, figures: '' };
  const rate = seconds > 0 ? Math.round((now.facts - facts) / seconds) : 0, done = shareOf(now) - share;
  const left = done > 0 ? `${Math.ceil(seconds * (1 - shareOf(now)) / done)} s left` : '';
  return { label, figures: [`${now.facts} facts`, ...(rate > 0 ? [`${rate} facts/s`] : []), ...(left ? [left] : [])].join(', ') };
}
