import { node } from '../steps.ts';

/** `npm run new:provider`: see `compiler/generate/scaffold/provider.ts`. */
process.exitCode = await node('compiler/generate/scaffold/main.ts', ['provider', ...process.argv.slice(2)]);
