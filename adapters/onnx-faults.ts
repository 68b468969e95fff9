type Say = (...found: string[]) => string;

/** What the runtime says, and what it means. */
const KNOWN: readonly (readonly [RegExp, Say])[] = [
  [/allocate memory|bad_alloc/, () => 'it asks for more memory than there is'],
  [
    /No Op registered for (\S+) with domain_version of (\d+)/,
    (op, version) => `version ${version} of the operators has no ${op}`,
  ],
  [
    /Node input '(.*)' is not a graph input/,
    name => `nothing in the file gives '${name}', which a node takes`,
  ],
  [/Duplicate definition of name \((.*)\)/, name => `two of its values are named '${name}'`],
  [
    /of Optype \((\w+)\) bound to different types/,
    op => `what its operator ${op} takes is of different types`,
  ],
  [
    /Input shape:\{([\d,-]*)\}, requested shape:\{([\d,-]*)\}/,
    (from, to) => `it cannot bring the shape [${from}] into [${to}]`,
  ],
  [
    /running (\w+) node\. Name:'(.*?)' Status Message: (.*)/s,
    (op, name, why) =>
      `its operator ${op}${name && ` '${name}'`} fails${INSIDE.test(why!) ? '' : `: ${why}`}`,
  ],
];

/** Source files, namespaces and folders, which are nothing to people. */
const INSIDE = /\.(cc|h):\d|::|\//;

/** A fault of the runtime in words for people: its own tell of its insides, and of paths of the server. */
export function inPlainWords(fault: string): string {
  for (const [pattern, say] of KNOWN) {
    const found = pattern.exec(fault);
    if (found) return say(...found.slice(1));
  }
  return 'the runtime cannot run it';
}
