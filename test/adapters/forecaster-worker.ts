import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Portion, PortionDone } from '../../adapters/forecaster/portion.js';
import { openService } from '../../adapters/forecaster/service.js';
import { serve } from '../../adapters/threads/serve.js';

// The real worker, but it notes what it does, and series of some periods bring it down: always, or once.

const DIES = 1_000_001;
const DIES_ONCE = 1_000_002;

const log = process.env['FORECASTER_TEST_LOG']!;

const work =
  (service: ReturnType<typeof openService>) =>
  async (portion: Portion): Promise<PortionDone> => {
    appendFileSync(
      join(log, 'portions'),
      `${JSON.stringify(portion.series.map(({ values }) => values.buffer.byteLength / 8))}\n`,
    );
    const done = [];
    for (const one of portion.series) {
      mayDie(one.period);
      const outputs = await service.run({ ...portion, series: [one] });
      if (outputs.length > 0) appendFileSync(join(log, 'done'), 'x');
      done.push(...outputs);
    }
    return done;
  };

const mayDie = (period: number): void => {
  const mark = join(log, 'died');
  if (period !== DIES && (period !== DIES_ONCE || existsSync(mark))) return;
  writeFileSync(mark, '');
  process.exit(3);
};

appendFileSync(join(log, 'started'), 'x');
await serve<Portion, PortionDone>(data => {
  const service = openService((data as { dir: string }).dir);
  return Promise.resolve({ run: work(service), close: service.close });
});
