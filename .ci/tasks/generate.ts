import { node } from '../steps.ts';

/** `npm run generate [-- --check]`: makes `schemas/generated` from the declarations, or says what is not current. */
process.exitCode = await node('compiler/generate/main.ts', process.argv.slice(2));
