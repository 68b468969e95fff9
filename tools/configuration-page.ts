import { variables } from '../config.js';

/** docs/configuration.md: every setting, as config/ has it. */
export const configurationPage = (): string => `# Configuration

By environment variables; a wrong value is refused at the start, by name. Made from \`config/\`
(\`npm run docs\`); a test holds this page to it.

| Variable | Default | What it is for |
|---|---|---|
${Object.entries(variables)
  .map(([name, { default: fallback, what }]) => `| \`${name}\` | ${shown(fallback)} | ${what} |`)
  .join('\n')}
`;

const shown = (fallback: unknown): string => (fallback === '' ? 'empty' : `\`${String(fallback)}\``);
