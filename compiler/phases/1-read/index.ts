/** Text to a document: a plain value, with places and comments on demand. */
export { readDocument as read, type ReadResult } from '#grammar/document/read.ts';
export { readSource } from './source.ts';
