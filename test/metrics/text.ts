/** One line of a scrape that holds a value. */
export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};
export type Family = { readonly help: string; readonly type: string; readonly samples: readonly Sample[] };

const COMMENT = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([-+]?(?:[0-9.]+(?:e[-+]?\d+)?|Inf)|NaN|Nan)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;

/** Reads the text form of Prometheus, and throws at the first line that is not of it. */
export function familiesOf(text: string): ReadonlyMap<string, Family> {
  const families = new Map<string, { help: string; type: string; samples: Sample[] }>();
  const family = (name: string) => {
    const known = families.get(name) ?? { help: '', type: '', samples: [] };
    families.set(name, known);
    return known;
  };
  for (const line of text.split('\n').filter(each => each !== '')) {
    const comment = COMMENT.exec(line);
    if (comment) {
      const [, kind, name, words] = comment;
      family(name!)[kind === 'HELP' ? 'help' : 'type'] = words!;
      continue;
    }
    const sample = SAMPLE.exec(line);
    if (!sample) throw new Error(`no line of a scrape: ${line}`);
    const [, name, labels = '', value] = sample;
    const base = name!.replace(/_(bucket|sum|count)$/, '');
    const owner = families.get(base)?.type === 'histogram' ? base : name!;
    if (!families.has(owner)) throw new Error(`${name} comes before its HELP and TYPE`);
    family(owner).samples.push({ name: name!, labels: labelsOf(labels), value: Number(value) });
  }
  return families;
}

function labelsOf(text: string): Record<string, string> {
  const found = [...text.matchAll(LABEL)];
  if (found.map(([whole]) => whole).join('') !== text) throw new Error(`no labels: ${text}`);
  return Object.fromEntries(found.map(([, name, value]) => [name!, value!]));
}
