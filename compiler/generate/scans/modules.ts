import { basename } from 'node:path';

import { findFiles } from '../find-files.ts';
import type { Mistakes } from '../mistakes.ts';
import type { Outputs } from '../outputs.ts';

/** Lint rules and migration steps: a file each, found by its folder, in order of name. */
export function writeScans(root: string, outputs: Outputs, mistakes: Mistakes): void {
  const rules = sources(root, 'compiler/phases/lint/rules');
  outputs.add('rules.ts', rulesText(rules), 'built');
  const steps = sources(root, 'compiler/phases/2-migrate/steps');
  outputs.add('migrations.ts', migrationsText(steps), 'built');
  checkNumbers(steps, mistakes);
}

function sources(root: string, folder: string): readonly string[] {
  return findFiles(root, folder, (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
}

function rulesText(files: readonly string[]): string {
  const rows = files.map((file) => `  '${basename(file, '.ts')}': () => import('#${file}'),`);
  return `// Generated from file names by \`npm run generate\`. Do not edit.
import type { Rule } from '#compiler/phases/lint/rule.ts';

/** Every lint rule by name. */
export const rules: Readonly<Record<string, () => Promise<{ readonly default: Rule }>>> = {
${rows.join('\n')}
};
`;
}

/** Imported at once: every file that is read goes through all of them. */
function migrationsText(files: readonly string[]): string {
  const imports = files.map((file, index) => `import step${index} from '#${file}';`);
  return `// Generated from file names by \`npm run generate\`. Do not edit.
import type { Step } from '#compiler/phases/2-migrate/step.ts';
${imports.join('\n')}

/** Every migration step, in the order in which they run. */
export const migrations: readonly Step[] = [${files.map((_, index) => `step${index}`).join(', ')}];
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
