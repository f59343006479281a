import { execFileSync } from 'node:child_process';

import { lacks } from '../fixtures/programs.ts';

/** Whether files cannot be asked for, since there is no git. */
export const lacksGit: boolean = lacks('git');

/** Paths from the project's folder that git has; with `others` also those that it would take. None without git. */
export function filesOfGit(root: string, { others = false } = {}): readonly string[] {
  if (lacksGit) return [];
  const more = others ? ['--cached', '--others', '--exclude-standard'] : [];
  return execFileSync('git', ['ls-files', ...more], { cwd: root, encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}
