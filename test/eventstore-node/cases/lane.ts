// node lane.js GENERATION CASE...: runs cases one after the other against a node of their own and prints the
// answers as JSON. A process of its own, because all clients of a process share their appends: to end one
// spoils the others'.
import { startNode } from '../node.js';
import { runCase } from './all.js';

const [generation, ...names] = process.argv.slice(2);
const node = await startNode({ generation: generation === '24' ? 24 : 23 });
const answers: Record<string, unknown> = {};
for (const name of names) answers[name] = await runCase(node.address, name);
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
