import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

import { generate } from './generate.ts';

/**
 * `npm run generate`: writes what changed. With `--check`: says which checked-in files are not current, and writes
 * nothing.
 */
async function main(check: boolean): Promise<number> {
  const { outputs, mistakes } = await generate(fileURLToPath(new URL('../..', import.meta.url)));
  if (mistakes.any)
    process.stderr.write(`${mistakes.found.join('\n')}\n${mistakes.found.length} mistake(s) in declarations.\n`);
  const status = check ? report(outputs.stale()) : 0;
  // Sound outputs are written all the same: a mistake in one declaration does not stop the work on another.
  if (!check) outputs.write({ keepStrays: mistakes.any });
  return mistakes.any ? 1 : status;
}

function report(stale: readonly string[]): number {
  if (stale.length === 0) return 0;
  const lines = stale.slice(0, 20).map((path) => `  ${posix.join('schemas/generated', path)}`);
  if (stale.length > lines.length) lines.push(`  and ${stale.length - lines.length} more`);
  process.stderr.write(`Generated files are not current:\n${lines.join('\n')}\n`);
  process.stderr.write('Run `npm run generate` and commit what it changes; generated files are never edited.\n');
  return 1;
}

process.exitCode = await main(process.argv.includes('--check'));
