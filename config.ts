import { Ajv2020 } from 'ajv/dist/2020.js';
import { BadConfiguration } from './config/bad-configuration.js';
import { variables, type Config } from './config/variables.js';
import { cellCode } from './domain/cell.js';
import type { Schema } from './json-schema.js';

export { BadConfiguration } from './config/bad-configuration.js';
export { billingTables, type BillingTables } from './config/billing-tables.js';
export { misspelt, type Misspelt } from './config/misspelt.js';
export { variables, type Config } from './config/variables.js';

/**
 * Reads all settings from the environment; throws `BadConfiguration` that names every variable with a wrong
 * value.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const texts = Object.fromEntries(names.map(name => [name, env[name] ?? variables[name].default]));
  const config = { ...texts };
  const ajv = new Ajv2020({ allErrors: true, coerceTypes: true, meta: false, validateSchema: false });
  const properties = Object.fromEntries(names.map(name => [name, variables[name].schema]));
  if (ajv.validate({ type: 'object', properties }, config)) {
    const typed = config as Config;
    refuseUnreal(typed);
    refuseSameCodes(typed);
    refuseHalfMail(typed);
    return typed;
  }
  const wrong = (ajv.errors ?? []).map(({ instancePath }) => instancePath.slice(1).split('/')[0]!);
  const lines = [...new Set(wrong)].map(name => faultText(name as keyof Config, texts[name]));
  throw new BadConfiguration(lines.join('\n'));
}

const names = Object.keys(variables) as (keyof Config)[];

const faultText = (name: keyof Config, value: unknown): string =>
  `${name}=${shown(name, value)} is not possible: ${allowed(variables[name].schema)}`;

/** A region and the address its API is reached at. */
type Cell = { readonly name: string; readonly url: string };

/** The other cells. */
export const cellsOf = ({ CELLS }: Pick<Config, 'CELLS'>): Cell[] =>
  CELLS.split(',')
    .filter(text => text !== '')
    .map(text => ({ name: text.slice(0, text.indexOf('=')), url: text.slice(text.indexOf('=') + 1) }));

/** Addresses of internal applications. */
export const opsAddresses = ({ OPS_REDIRECT_URIS }: Pick<Config, 'OPS_REDIRECT_URIS'>): string[] =>
  OPS_REDIRECT_URIS.split(',').filter(address => address !== '');

function refuseUnreal(config: Config): void {
  const unreal = opsAddresses(config).find(address => !URL.canParse(address));
  if (unreal !== undefined) throw notPossible('OPS_REDIRECT_URIS', config, `${unreal} is no address`);
}

function refuseHalfMail(config: Config): void {
  if (config.SMTP_URL !== '' && config.MAIL_FROM === '')
    throw notPossible('MAIL_FROM', config, 'mail that goes through SMTP_URL needs a sender');
}

function refuseSameCodes(config: Config): void {
  const byCode = new Map<string, string>();
  for (const name of [config.CELL, ...cellsOf(config).map(cell => cell.name)]) {
    const other = byCode.get(cellCode(name));
    if (other !== undefined) throw notPossible('CELLS', config, `${other} and ${name} have the same code`);
    byCode.set(cellCode(name), name);
  }
}

const notPossible = (name: keyof Config, config: Config, why: string): BadConfiguration =>
  new BadConfiguration(`${name}=${JSON.stringify(config[name])} is not possible: ${why}`);

/** Addresses may hold a password. */
const shown = (name: keyof Config, value: unknown): string =>
  'secret' in variables[name] ? '***' : JSON.stringify(value).replace(/\/\/[^@/]*@/, '//***@');

function allowed(schema: Schema): string {
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`;
  if (schema['type'] === 'boolean') return 'true or false';
  if (schema['type'] === 'integer')
    return `a whole number from ${String(schema['minimum'])} to ${String(schema['maximum'])}`;
  return schema['pattern'] ? `a text that matches ${String(schema['pattern'])}` : 'a text that is not empty';
}
