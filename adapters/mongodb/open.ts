import { connect } from './client.js';
import { mongoKeys } from '../vault/mongodb.js';
import { mongoContents } from './contents.js';
import { mongoFiles } from './files.js';
import { mongoKeyValue } from './key-value.js';
import { mongoReadModels } from './read-models.js';

export type MongoOptions = { readonly url: string; readonly database: string; readonly clock: () => number };

/**
 * Read models, small state, wrapped keys, tables, what trainings made, and files, those of models apart, in
 * one database, over one pool of connections, made on first use; `close` lets go of it.
 */
export function openMongo({ url, database, clock }: MongoOptions) {
  const connection = connect(url, database);
  return {
    models: mongoReadModels(connection),
    kv: mongoKeyValue(connection, clock),
    keys: mongoKeys(connection),
    modelFiles: mongoFiles(connection, 'model_files'),
    files: mongoFiles(connection, 'files'),
    tables: mongoContents(connection, 'tables'),
    trainings: mongoContents(connection, 'trainings'),
    close: connection.close,
  };
}
