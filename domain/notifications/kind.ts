/** Less urgent first. */
export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];
export type Data = Readonly<Record<string, unknown>>;

/** How one kind reads. `link`: the path of this API where more is to be read; null: nowhere. */
export type Kind = {
  readonly severity: Severity | ((data: Data) => Severity);
  readonly title: (data: Data) => string;
  readonly body: (data: Data) => string;
  readonly link: (data: Data) => string | null;
};
