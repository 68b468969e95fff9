import { forgetLost } from '../adapters/open-log.js';
import { readConfig } from '../config.js';
import { codes, Failure } from './exit.js';
import { print } from './output.js';
import { needData, ownerName } from './place.js';
import { stopSignal } from './signals.js';

/** Gives up personal data whose keys the vault has lost; `sure`: whoever asks knows that it is for good. */
export async function forgetVault(sure: boolean): Promise<void> {
  const config = readConfig(process.env);
  needData(config);
  if (!sure)
    throw new Failure(
      'personal data whose keys the vault lacks is given up for good, also if the keys are found later: '
        + 'put a copy of the vault back instead, or say --yes',
      codes.usage,
    );
  const signal = stopSignal();
  const owner = ownerName('vault forget');
  const { given_up, facts } = await forgetLost(config, { clock: Date.now, owner }, signal);
  if (signal.aborted)
    throw new Failure('interrupted; what was not given up yet is as it was', codes.interrupted);
  await print(
    `${given_up} ${given_up === 1 ? 'key is' : 'keys are'} given up, of ${facts} facts looked at.\n`
      + (given_up > 0
        ? 'The start goes on without what they sealed. Read models may still show it: presage replay\n'
        : 'The vault has the key of everything that is sealed in the log.\n'),
  );
}
