/** JSON of an answer, typed as loosely as `JSON.parse` does it: what a test asserts of it is its check. */
export type Json = ReturnType<typeof JSON.parse>;
