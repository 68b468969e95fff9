/** Why a row is none. */
export class RowFault {
  constructor(readonly message: string) {}
}

/** A row as it was read: its cells as texts. */
export type RawRow = readonly string[] | RowFault;

/** A file as rows of text. */
export type RawTable = {
  /** Of the columns; null: the first row may hold them. */
  readonly names: readonly string[] | null;
  /** What separates cells; '' where that says nothing about how numbers are written. */
  readonly separator: string;
  /** Some rows at a time, as they are read. */
  readonly rows: AsyncIterable<readonly RawRow[]>;
};
