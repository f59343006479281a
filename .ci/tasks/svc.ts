import { command, node } from '../steps.ts';

/** `npm run svc -- VERB …`: the command line, built where needed, in a Node that is new enough for it. */
process.exitCode =
  (await node('.ci/build/main.ts', ['--if-needed'])) ||
  (await command(process.execPath, ['dist/bin/svc.js', ...process.argv.slice(2)]));
