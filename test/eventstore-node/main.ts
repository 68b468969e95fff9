// node main.js [--file F] [--port N] [--generation 23|24]: a test node as a process of its own; prints PORT
// n.
import { parseArgs } from 'node:util';
import { startNode } from './node.js';

const { values } = parseArgs({
  options: {
    file: { type: 'string', default: ':memory:' },
    port: { type: 'string', default: '0' },
    generation: { type: 'string', default: '23' },
  },
});
const node = await startNode({
  file: values.file,
  port: Number(values.port),
  generation: values.generation === '24' ? 24 : 23,
});
console.log(`PORT ${node.port}`);
process.on('SIGTERM', () => {
  node.stop();
  process.exit(0);
});
