import { skipped } from '../suite.js';
import { keyValueContract } from './key-value.js';
import { openedOn } from './mongodb.js';

const { MONGODB_URL: url } = process.env;
if (url) keyValueContract('MongoDB', clock => openedOn(url, clock, mongo => mongo.kv));
else skipped('key-value contract: MongoDB', 'no MONGODB_URL');
