import { fileURLToPath } from 'node:url';

import { generate } from '../generate.ts';

import { scaffoldCommand } from './command.ts';
import { scaffoldMigration } from './migration.ts';
import { scaffoldProvider } from './provider.ts';
import { scaffoldRule } from './rule.ts';
import type { Scaffold } from './scaffold.ts';
import { write, WrongUse } from './scaffold.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const usage: Readonly<Record<string, string>> = {
  command: 'npm run new:command <domain>/<group>/<family> NAME        such as files/local/files FA_touch_file',
  rule: 'npm run new:rule NAME        such as no-thing',
  provider: 'npm run new:provider NAME [adapters|services]        such as object-store; adapters where it is left out',
  migration: 'npm run new:migration WHAT        such as rename-mock-args',
};

/**
 * `npm run new:command|new:rule|new:provider|new:migration`: makes something new that passes every check, and says what
 * to do next.
 */
async function main([kind = '', ...words]: readonly string[]): Promise<number> {
  try {
    const scaffold = make(kind, words);
    write(root, scaffold);
    const { outputs, mistakes } = await generate(root);
    outputs.write({ keepStrays: mistakes.any });
    process.stdout.write(
      `${scaffold.files.map(([file]) => `  ${file}`).join('\n')}\n\nNext:\n${scaffold.next.map((line, index) => `  ${index + 1}. ${line}`).join('\n')}\n`,
    );
    for (const mistake of mistakes.found) process.stderr.write(`${mistake}\n`);
    return mistakes.any ? 1 : 0;
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error;
    process.stderr.write(`${error.message}\n${usage[kind] ?? Object.values(usage).join('\n')}\n`);
    return 2;
  }
}

function make(kind: string, [first = '', second = '']: readonly string[]): Scaffold {
  switch (kind) {
    case 'command':
      return scaffoldCommand(root, first, second);
    case 'rule':
      return scaffoldRule(root, first);
    case 'provider':
      return scaffoldProvider(root, first, second || 'adapters');
    case 'migration':
      return scaffoldMigration(root, first);
    default:
      throw new WrongUse(`"${kind}" cannot be made`);
  }
}

process.exitCode = await main(process.argv.slice(2));
