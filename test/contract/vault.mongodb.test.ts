import { skipped } from '../suite.js';
import { openedOn } from './mongodb.js';
import { vaultContract } from './vault.js';

const { MONGODB_URL: url } = process.env;
if (url) vaultContract('MongoDB', () => openedOn(url, Date.now, mongo => mongo.keys));
else skipped('vault contract: MongoDB', 'no MONGODB_URL');
