import { object } from '../../json-schema.js';

const days = {
  type: ['integer', 'null'],
  minimum: 1,
  maximum: 36_500,
  description: 'null: for ever',
} as const;
const retention = object({ signals_days: days, events_days: days, raw_days: days });
const terms = {
  type: 'array',
  maxItems: 100,
  items: { type: 'string', minLength: 1, maxLength: 100 },
} as const;
const domains = {
  type: 'array',
  maxItems: 100,
  items: { type: 'string', pattern: '^[^@\\s]+\\.[^@\\s]+$', maxLength: 253, examples: ['example.org'] },
} as const;

/** What a workspace can be set to. */
export const workspaceSettings = {
  timezone: { type: 'string', description: 'IANA', examples: ['Europe/Berlin'] },
  retention,
  domain_terms: {
    ...terms,
    description: 'what the workspace is about; weighs in the relevance of its events',
  },
} as const;

/** The same, in a request: what is left out of `retention` stays, or is for ever in a new workspace. */
export const givenWorkspaceSettings = {
  ...workspaceSettings,
  retention: object({}, retention.properties),
} as const;

/** What an organization can be set to, as it is shown. */
export const organizationSettings = {
  settings: object({
    require_2fa: { type: 'boolean', description: 'members without a second factor are refused' },
    allowed_email_domains: { ...domains, description: 'of who may be invited or join; none: any' },
    token_max_age_days: { ...days, description: 'older tokens are refused; null: any age' },
  }),
} as const;

/** The same, in a request: what is left out stays. */
export const optionalSettings = {
  settings: object({}, organizationSettings.settings.properties),
} as const;
