import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Mistakes } from './mistakes.ts';
import type { Outputs } from './outputs.ts';

const FOLDER = 'schemas/changes';
/** Headings by the word that a change begins with, in the order of the file. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['breaking', 'Breaking'],
  ['security', 'Security'],
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['fixed', 'Fixed'],
]);

interface Change {
  readonly kind: string;
  readonly text: string;
}

/** Makes `CHANGELOG.md` from one file a change: the newest version first, of each version one list a kind. */
export function writeChangelog(root: string, outputs: Outputs, mistakes: Mistakes): void {
  const versions = readdirSync(join(root, FOLDER), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  const sections = versions.toSorted(byVersion).map((version) => {
    const files = readdirSync(join(root, FOLDER, version)).toSorted();
    const changes = files.flatMap((file) => readChange(`${FOLDER}/${version}/${file}`, root, mistakes));
    return sectionOf(version, changes);
  });
  outputs.addAtTop(
    'CHANGELOG.md',
    `# Changes\n\nMade from \`${FOLDER}\`: one file a change.\n\n${sections.join('\n')}`,
  );
}

function sectionOf(version: string, changes: readonly Change[]): string {
  const lists = [...kinds].flatMap(([kind, heading]) => {
    const own = changes.filter((change) => change.kind === kind);
    return own.length === 0 ? [] : [`### ${heading}\n\n${own.map(({ text }) => `- ${text}\n`).join('')}`];
  });
  return `## ${version}\n\n${lists.join('\n')}`;
}

function readChange(file: string, root: string, mistakes: Mistakes): readonly Change[] {
  const [, kind = '', text = ''] = /^kind: (\w+)\n\n([^]+)$/.exec(readFileSync(join(root, file), 'utf8')) ?? [];
  if (kinds.has(kind)) return [{ kind, text: text.trim().replaceAll('\n', '\n  ') }];
  mistakes.add(
    file,
    '',
    `begins with "kind: " and one of ${[...kinds.keys()].join(', ')}, an empty line, and the text`,
  );
  return [];
}

/** Order of versions, unreleased changes first. */
function byVersion(a: string, b: string): number {
  if (a === 'next' || b === 'next') return a === 'next' ? -1 : 1;
  return b.localeCompare(a, 'en', { numeric: true });
}
