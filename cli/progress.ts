import cliProgress from 'cli-progress';

/**
 * How far something is: `share` done, `count` of `unit`s so far, and whether a rate and the time left follow
 * from them. Another `label` begins the counting anew.
 */
export type Standing = {
  readonly label: string;
  readonly share: number;
  readonly count: number;
  readonly unit: string;
  readonly timed: boolean;
};
/** Shows how far something is; `end` clears the way for other lines. */
export type ProgressView = { readonly show: (now: Standing) => void; readonly end: () => void };

const EVERY_MS = 2_000;
const SCALE = 1_000;

/** A bar in a terminal, elsewhere a plain line now and then; both on stderr. */
export const progressView = (): ProgressView => (process.stderr.isTTY ? bar() : plainLines());

function bar(): ProgressView {
  const drawn = new cliProgress.SingleBar(
    {
      format: '{label} [{bar}] {percentage}%  {figures}',
      barsize: 30,
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
    },
    cliProgress.Presets.legacy,
  );
  let begin: Begin | null = null;
  return {
    show(now) {
      begin = beginOf(begin, now);
      const texts = { label: now.label, figures: figuresOf(now, begin) };
      if (!drawn.isActive) drawn.start(SCALE, 0, texts);
      drawn.update(Math.round(now.share * SCALE), texts);
    },
    end() {
      if (drawn.isActive) drawn.stop();
    },
  };
}

function plainLines(): ProgressView {
  let begin: Begin | null = null;
  let shownAt = Date.now();
  return {
    show(now) {
      begin = beginOf(begin, now);
      if (Date.now() - shownAt < EVERY_MS) return;
      shownAt = Date.now();
      process.stderr.write(`${now.label} ${Math.round(now.share * 100)}%  ${figuresOf(now, begin)}\n`);
    },
    end: () => undefined,
  };
}

/** When what a label names began, and with how much done. */
type Begin = Pick<Standing, 'label' | 'share' | 'count'> & { readonly at: number };

const beginOf = (begin: Begin | null, now: Standing): Begin =>
  begin?.label === now.label ? begin : { ...now, at: Date.now() };

function figuresOf({ share, count, unit, timed }: Standing, begin: Begin): string {
  const soFar = unit === '' ? '' : `${count} ${unit}`;
  if (!timed) return soFar;
  const seconds = (Date.now() - begin.at) / 1000;
  const done = share - begin.share;
  const rate = seconds > 0 ? Math.round((count - begin.count) / seconds) : 0;
  const left = done > 0 ? `${Math.ceil((seconds * (1 - share)) / done)} s left` : '';
  const speed = rate > 0 ? `${rate} ${unit}/s` : '';
  return [soFar, speed, left].filter((text, index) => index === 0 || text !== '').join(', ');
}

/** `at` of `all`, within 0..1; 1 when there is nothing to do. */
export const shareOf = (at: number, all: number): number =>
  all <= 0 ? 1 : Math.min(1, Math.max(0, at) / all);
