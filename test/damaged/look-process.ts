import { failureOf } from '../../cli/exit.js';
import { look, type Asked } from './look.js';

/** Some damage ends the process that meets it: this one looks at one folder after the other. */
process.on('message', (asked: Asked) => {
  void look(asked)
    .catch((error: unknown) => ({ end: 'failed', message: failureOf(error).message }))
    .then(found => process.send!(found));
});
process.on('disconnect', () => process.exit());
