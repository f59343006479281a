import { node } from '../steps.ts';

/** `npm run new:rule`: see `compiler/generate/scaffold/rule.ts`. */
process.exitCode = await node('compiler/generate/scaffold/main.ts', ['rule', ...process.argv.slice(2)]);
