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
