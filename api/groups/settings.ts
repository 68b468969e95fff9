import type { GroupChanges } from '../../domain/groups/commands.js';
import type { Retention } from '../../domain/groups/facts.js';

/** What a body may say of a group. */
type SettingsBody = {
  readonly name?: string;
  readonly timezone?: string;
  readonly domain_terms?: readonly string[];
  readonly retention?: {
    readonly signals_days?: number | null;
    readonly events_days?: number | null;
    readonly raw_days?: number | null;
  };
  readonly settings?: {
    readonly require_2fa?: boolean;
    readonly allowed_email_domains?: readonly string[];
    readonly token_max_age_days?: number | null;
  };
};

/** What a body says of a group, in the words of its facts; what it leaves out is absent. */
export function settingsOf(body: SettingsBody): GroupChanges {
  const { name, timezone, domain_terms, retention, settings = {} } = body;
  const { require_2fa, allowed_email_domains, token_max_age_days } = settings;
  return {
    ...(name !== undefined && { name }),
    ...(timezone !== undefined && { timezone }),
    ...(domain_terms !== undefined && { domainTerms: [...new Set(domain_terms)] }),
    ...(retention && { retention: retentionOf(retention) }),
    ...(require_2fa !== undefined && { require2fa: require_2fa }),
    ...(allowed_email_domains !== undefined && { allowedEmailDomains: allowed_email_domains }),
    ...(token_max_age_days !== undefined && { tokenMaxAgeDays: token_max_age_days }),
  };
}

type RetentionBody = NonNullable<SettingsBody['retention']>;
const retentionOf = ({ signals_days, events_days, raw_days }: RetentionBody): Partial<Retention> => ({
  ...(signals_days !== undefined && { signalsDays: signals_days }),
  ...(events_days !== undefined && { eventsDays: events_days }),
  ...(raw_days !== undefined && { rawDays: raw_days }),
});
