import { basename } from 'node:path';

import { findFiles } from '../find-files.ts';
import type { Mistakes } from '../mistakes.ts';
import type { Outputs } from '../outputs.ts';

/** Lint rules and migration steps: a file each, found by its folder, in order of name. */
export function writeScans(root: string, outputs: Outputs, mistakes: Mistakes): void {
  const rules = sources(root, 'compiler/phases/3-lint/rules');
  outputs.add('rules.ts', table(rules, 'rules', 'Rule', '#compiler/phases/3-lint/rule.ts', 'Every lint rule by name.'), 'built');
  const steps = sources(root, 'compiler/phases/2-migrate/steps');
  outputs.add('migrations.ts', table(steps, 'migrations', 'Step', '#compiler/phases/2-migrate/step.ts', 'Every migration step by name, in the order in which they run.'), 'built');
  checkNumbers(steps, mistakes);
}

function sources(root: string, folder: string): readonly string[] {
  return findFiles(root, folder, (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
}

function table(files: readonly string[], name: string, type: string, typeModule: string, about: string): string {
  const rows = files.map((file) => `  '${basename(file, '.ts')}': () => import('#${file}'),`);
  return `// Generated from file names by \`npm run generate\`. Do not edit.
import type { ${type} } from '${typeModule}';

/** ${about} */
export const ${name}: Readonly<Record<string, () => Promise<{ readonly default: ${type} }>>> = {
${rows.join('\n')}
};
`;
}

/** A step's number is its place: four digits, never given twice. */
function checkNumbers(files: readonly string[], mistakes: Mistakes): void {
  const seen = new Map<string, string>();
  for (const file of files) {
    const number = /^(\d{4})-[a-z0-9-]+\.ts$/.exec(basename(file))?.[1];
    if (number === undefined) mistakes.add(file, '', 'a migration step is called <nnnn>-<what>.ts');
    else if (seen.has(number)) mistakes.add(file, '', `${seen.get(number) ?? ''} has that number already`);
    else seen.set(number, file);
  }
}
