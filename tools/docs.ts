import { readFileSync, writeFileSync } from 'node:fs';
import { allRows } from './all-rows.js';
import { withBarePlatform } from './bare-platform.js';
import { pages } from './pages.js';

// Writes the pages of docs/ that are made from the code.
const rows = await withBarePlatform(allRows);
for (const [name, make] of Object.entries(pages)) {
  const file = new URL(`../../docs/${name}`, import.meta.url);
  const before = readFileSync(file, { encoding: 'utf8', flag: 'a+' });
  const text = make(rows);
  writeFileSync(file, text);
  console.log(`docs/${name} ${text === before ? 'as before' : 'written'}`);
}
