/** Thousandths of a credit: always a safe integer. */
export type Millicredits = number;

/** What something costs by the rates in force: quantity x rate, rounded once. */
export type Price = {
  /** A line of the table of rates: `inference.series_step`. */
  readonly item: string;
  readonly quantity: number;
  /** Of one unit, in credits as decimal text. */
  readonly rate: string;
  readonly ratesVersion: string;
  readonly amount: Millicredits;
};

/** What is paid for: `{ type: 'inference', id: 'inf_...' }`. */
export type Reference = { readonly type: string; readonly id: string };
/** What is paid, and what for: of a pipeline (null: of none), of a goal (absent: of none). */
export type For = {
  readonly price: Price;
  readonly reference: Reference;
  readonly pipelineId: string | null;
  readonly goalId?: string;
};
/** Only that of a hold or a charge. */
export const purposeOf = ({ price, reference, pipelineId, goalId }: For): For => ({
  ...{ price, reference, pipelineId },
  ...(goalId !== undefined && { goalId }),
});
