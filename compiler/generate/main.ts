import { fileURLToPath } from 'node:url';

import { writeCommands } from './commands/write.ts';
import { writeMessages } from './messages/write.ts';
import { Mistakes } from './mistakes.ts';
import { Outputs } from './outputs.ts';
import { writeSchemas } from './schemas/aggregates.ts';
import { writeVerbs } from './scans/cli.ts';
import { writeScans } from './scans/modules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Makes `schemas/generated` from the declarations; with `--check`, says what is checked in and not current. */
async function main(check: boolean): Promise<number> {
  const mistakes = new Mistakes();
  const outputs = new Outputs(root);
  const messages = writeMessages(root, outputs, mistakes);
  const families = await writeCommands(root, outputs, mistakes, messages);
  writeSchemas(root, families, outputs);
  writeScans(root, outputs, mistakes);
  writeVerbs(root, outputs, mistakes);
  if (mistakes.any) process.stderr.write(`${mistakes.found.join('\n')}\n${mistakes.found.length} mistake(s) in declarations.\n`);
  const status = check ? report(outputs.stale()) : 0;
  // What is sound is written all the same: a mistake in one declaration does not stop the work on another.
  if (!check) outputs.write();
  return mistakes.any ? 1 : status;
}

function report(stale: readonly string[]): number {
  if (stale.length === 0) return 0;
  const lines = stale.slice(0, 20).map((path) => `  schemas/generated/${path}`);
  process.stderr.write(`Generated files are not current:\n${lines.join('\n')}\n`);
  process.stderr.write('Run `npm run generate` and commit what it changes; generated files are never edited.\n');
  return 1;
}

process.exitCode = await main(process.argv.includes('--check'));
