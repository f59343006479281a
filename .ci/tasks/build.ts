import { node } from '../steps.ts';

/**
 * `npm run build`: generated files, then `dist/`: the command line, the public API with its types, the prebuilt
 * library.
 */
process.exitCode = await node('.ci/build/main.ts', process.argv.slice(2));
