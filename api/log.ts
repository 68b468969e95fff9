/** What is used of the log: pino's own form, fields first. An error goes under `err`. */
export type Log = {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
};
