import { text, variable, type Variable } from './variable.js';

/** Who reaches a platform, and how: other regions, proxies, browsers, internal applications. */
export const network = {
  PUBLIC_URL: variable(
    { type: 'string', pattern: '^$|^https?://[^\\s/?#]+(/[^\\s?#]*[^\\s?#/])?$' },
    '',
    'Where others reach this platform, as `https://presage.example.org`, for addresses that it tells; empty: '
      + 'where it listens',
  ),
  CELL: variable({ type: 'string', pattern: '^[a-z0-9-]{1,32}$' }, 'local', 'Name of this region'),
  CELLS: variable(
    {
      type: 'string',
      pattern: '^$|^[a-z0-9-]{1,32}=https?://[^,\\s]+(,[a-z0-9-]{1,32}=https?://[^,\\s]+)*$',
    },
    '',
    'The other regions and their addresses: `eu-1=https://eu-1.example.org,us-1=https://us-1.example.org`',
  ),
  TRUSTED_PROXIES: variable(
    { type: 'integer', minimum: 0, maximum: 16 },
    0,
    'Proxies in front whose `X-Forwarded-For` is believed',
  ),
  OPS_REDIRECT_URIS: variable(
    { type: 'string', pattern: '^$|^[a-z][a-z0-9+.-]*://[^,\\s]+(,[a-z][a-z0-9+.-]*://[^,\\s]+)*$' },
    '',
    'Addresses of internal applications that users may sign in to, exactly as they are asked for, '
      + 'separated by commas',
  ),
  PUBLIC_PROBE: variable(
    { type: 'boolean' },
    false,
    'Whether /ready and /openapi/v1.json answer without a token',
  ),
  CORS_ORIGINS: variable(
    text,
    '',
    'Origins that browsers may call from, separated by commas; `*` for any; empty: none',
  ),
} as const satisfies Record<string, Variable>;
