import { node } from '../steps.ts';

/** `npm run new:command`: see `compiler/generate/scaffold/command.ts`. */
process.exitCode = await node('compiler/generate/scaffold/main.ts', ['command', ...process.argv.slice(2)]);
