import { severities, type Data, type Kind, type Severity } from './kind.js';
import { accountKinds } from './kinds-of-accounts.js';
import { forecastKinds } from './kinds-of-forecasts.js';
import { modelKinds } from './kinds-of-models.js';

/** Everything that people can be told of. */
export const kinds: Readonly<Record<string, Kind>> = { ...forecastKinds, ...modelKinds, ...accountKinds };
export const kindNames: readonly string[] = Object.keys(kinds).sort();

export type Reading = {
  readonly title: string;
  readonly body: string;
  readonly severity: Severity;
  readonly link: string | null;
};

/** What a notification says: made when it is read, so that better words serve old ones too. */
export function readingOf(kind: string, data: Data): Reading {
  const known = kinds[kind];
  if (!known) return { title: kind, body: '', severity: 'info', link: null };
  return {
    title: known.title(data),
    body: known.body(data),
    severity: severityOf(kind, data),
    link: known.link(data),
  };
}

export function severityOf(kind: string, data: Data): Severity {
  const severity = kinds[kind]?.severity ?? 'info';
  return typeof severity === 'string' ? severity : severity(data);
}

export const isAtLeast = (severity: Severity, least: Severity): boolean =>
  severities.indexOf(severity) >= severities.indexOf(least);
