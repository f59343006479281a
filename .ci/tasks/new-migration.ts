import { node } from '../steps.ts';

/** `npm run new:migration`: see `compiler/generate/scaffold/migration.ts`. */
process.exitCode = await node('compiler/generate/scaffold/main.ts', ['migration', ...process.argv.slice(2)]);
