import { skipped } from '../suite.js';
import { openedOn } from './mongodb.js';
import { readModelsContract } from './read-models.js';

const { MONGODB_URL: url } = process.env;
if (url) readModelsContract('MongoDB', () => openedOn(url, Date.now, mongo => mongo.models));
else skipped('read-models contract: MongoDB', 'no MONGODB_URL');
