/** Processor time of something as a multiple of that of its baseline. */
export type Figure = {
  readonly name: string;
  readonly of: string;
  readonly measured: () => Promise<number>;
};
/** Figures of a run that are kept, by name. */
export type Kept = Readonly<Record<string, number>>;

/** So much more counts as worse. */
const TENTH = 1.1;

/** Whether a figure is worse than the one kept; nothing is, where none is kept. */
export const worse = (kept: number | undefined, now: number): boolean =>
  kept !== undefined && !(now <= kept * TENTH);

export function verdictOf(kept: number | undefined, now: number): string {
  if (kept === undefined) return 'new';
  if (worse(kept, now)) return `worse by ${Math.round((now / kept - 1) * 100)} %`;
  return now * TENTH < kept ? 'better: keep it' : 'as it was';
}
