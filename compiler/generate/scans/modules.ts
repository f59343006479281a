import { basename } from 'node:path';

import { findFiles } from '../find-files.ts';
import type { Mistakes } from '../mistakes.ts';
import type { Outputs } from '../outputs.ts';

/** Lint rules and migration steps: a file each, found by its folder, in order of name. */
export function writeScans(root: string, outputs: Outputs, mistakes: Mistakes): void {
  const rules = sources(root, 'compiler/phases/lint/rules');
  outputs.add('rules.ts', rulesText(rules), 'built');
  outputs.add('all-rules.ts', allRulesText(rules), 'built');
  const steps = sources(root, 'compiler/phases/2-migrate/steps');
  outputs.add('migrations.ts', migrationsText(steps), 'built');
  checkNumbers(steps, mistakes);
}

function sources(root: string, folder: string): readonly string[] {
  return findFiles(root, folder, (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
}

/** The names alone: most who ask want no rule to run. */
function rulesText(files: readonly string[]): string {
  const rows = files.map((file) => `  '${basename(file, '.ts')}',`);
  return `// Generated from file names by \`npm run generate\`. Do not edit.

/** Names of all lint rules. */
export const ruleFiles: readonly string[] = [
${rows.join('\n')}
];
`;
}

/** Imported at once: nearly all of them run. */
function allRulesText(files: readonly string[]): string {
  const imports = files.map((file, index) => `import rule${index} from '#${file}';`);
  return `// Generated from file names by \`npm run generate\`. Do not edit.
import type { Rule } from '#compiler/phases/lint/rule.ts';
${imports.join('\n')}

/** Every lint rule. */
export const allRules: readonly Rule[] = [${files.map((_, index) => `rule${index}`).join(', ')}];
`;
}

/** Imported at once: every file that is read goes through all of them. */
function migrationsText(files: readonly string[]): string {
  const imports = files.map((file, index) => `import step${index} from '#${file}';`);
  return `// Generated from file names by \`npm run generate\`. Do not edit.
import type { MigrationStep } from '#compiler/phases/2-migrate/migration-step.ts';
${imports.join('\n')}

/** Every migration step, in the order in which they run. */
export const migrations: readonly MigrationStep[] = [${files.map((_, index) => `step${index}`).join(', ')}];
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
