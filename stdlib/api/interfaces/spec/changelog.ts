import { compareDocuments } from '#grammar/openapi/compare.ts';
import type { Change } from '#grammar/openapi/compare.ts';
import { withoutNames } from '#grammar/openapi/operations.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

/** Markdown about what changed between two OpenAPI documents; what breaks callers is said first and at its place. */
export function changelog(left: JsonObject, right: JsonObject): string {
  const changes = compareDocuments(left, right);
  const [before, after] = [pathsOf(left), pathsOf(right)];
  const missingIn = (paths: readonly string[]): ((path: string) => boolean) => {
    const known = new Set(paths.map(withoutNames));
    return (path) => !known.has(withoutNames(path));
  };
  const sections = [
    section('Breaking changes', changes.filter(({ breaking }) => breaking).map(line)),
    section('Added paths', after.filter(missingIn(before)).map(code)),
    section('Removed paths', before.filter(missingIn(after)).map(code)),
    section(
      'Added operations',
      changes.filter(isWhole('added')).map(({ operation }) => code(operation)),
    ),
    section(
      'Removed operations',
      changes.filter(isWhole('removed')).map(({ operation }) => code(operation)),
    ),
    section('Schema changes', changes.filter(({ place }) => place !== '').map(line)),
  ].filter((text) => text !== '');
  return `# OpenAPI Changelog\n\n${sections.length === 0 ? 'No changes detected.\n' : sections.join('\n')}`;
}

function isWhole(kind: Change['kind']): (change: Change) => boolean {
  return (change) => change.place === '' && change.kind === kind;
}

function pathsOf({ paths }: JsonObject): readonly string[] {
  return isObject(paths) ? Object.keys(paths).toSorted() : [];
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.map((text) => `- ${text}\n`).join('')}`;
}

function line({ operation, place, what, breaking }: Change): string {
  const where = place === '' ? code(operation) : `${code(operation)} ${escaped(place)}`;
  return `${where}: ${escaped(what)}${breaking ? ' **(breaking)**' : ''}`;
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

function escaped(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/[*_<\\`]/g, '\\$&');
}
