import type { EnvironmentFinding, FolderProfiles, Place } from '#compiler/engine/environments/environments.ts';
import { UNNAMED } from '#compiler/engine/environments/environments.ts';
import { printableLine } from '#grammar/source/printable.ts';
import { isSecretKey } from '#schemas/types/secret-key.ts';
import { counted } from '#grammar/source/counted.ts';

/** Places of one finding that are shown. */
const MOST_PLACES = 10;

export function findingsText(findings: readonly EnvironmentFinding[], files: number): string {
  const wrong = findings.filter(({ kind }) => kind === 'lacking').length;
  const others = findings.length - wrong;
  const parts = [
    ...(wrong === 0 ? [] : [`${wrong} missing`]),
    ...(others === 0 ? [] : [`${others} other ${others === 1 ? 'finding' : 'findings'}`]),
  ];
  const among = `in ${counted(files, 'file')}`;
  return [...findings.map(findingText), `${parts.length === 0 ? 'nothing found' : parts.join(', ')} ${among}\n`].join(
    '\n',
  );
}

function findingText(finding: EnvironmentFinding): string {
  const { places } = finding;
  const shown = places.slice(0, MOST_PLACES).map((place) => `  ${placeText(place)}\n`);
  const rest = places.length > shown.length ? [`  and ${places.length - shown.length} more\n`] : [];
  return [`${headOf(finding)}\n`, ...shown, ...rest].join('');
}

function headOf(finding: EnvironmentFinding): string {
  const key = `"${printableLine(finding.key)}"`;
  switch (finding.kind) {
    case 'lacking':
      return finding.has.length === 0
        ? `error: ${key} is used, but stands in no profile`
        : `error: ${key} is used, but not in ${listed(finding.lacking)}; ${haveIt(finding.has)}`;
    case 'unused':
      return `hint: nothing uses ${key}`;
    case 'tracked-secret':
      return `warning: the value of ${key} looks like a secret, and git tracks the file`;
  }
}

function placeText({ file, line, column }: Place): string {
  return `${printableLine(file)}:${line}${column === undefined ? '' : `:${column}`}`;
}

function listed(names: readonly string[]): string {
  return names.map((name) => `"${printableLine(name)}"`).join(', ');
}

function haveIt(names: readonly string[]): string {
  return `${listed(names)} ${names.length === 1 ? 'has' : 'have'} it`;
}

export function profilesText(folders: readonly (FolderProfiles & { readonly shown: string })[]): string {
  if (folders.length === 0) return 'no profiles: no file is called .env or .env.NAME\n';
  return folders
    .map(({ shown, profiles }) => `${printableLine(shown)}\n${profiles.map(profileText).join('')}`)
    .join('\n');
}

function profileText({ name = UNNAMED, files, keys }: FolderProfiles['profiles'][number]): string {
  const width = Math.max(0, ...[...keys.keys()].map((key) => key.length)) + 2;
  const lines = [...keys]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { file, line }]) => {
      const hidden = isSecretKey(key) ? '  secret' : '';
      return `    ${printableLine(key).padEnd(width)}${printableLine(file)}:${line}${hidden}\n`;
    });
  return `  ${printableLine(name)}  (${files.map(printableLine).join(' over ')})\n${lines.join('')}`;
}
