import { archiveUnusable } from '#schemas/generated/failures.ts';
import { isList, isObject } from '#schemas/types/json.ts';

/** Share of an archive whose bodies were left out when it was recorded. */
export interface Bodiless {
  readonly count: number;
  /** Answers that had a body when they were recorded. */
  readonly of: number;
  /** Address of the first one. */
  readonly first: string;
}

/**
 * Checks that requests can be answered from an archive; fails where it holds no list of requests, or none of the bodies
 * that servers sent: every page would be empty. Yields what is empty of it; undefined: nothing is.
 */
export function replayable(path: string, text: string): Bodiless | undefined {
  const entries = entriesOf(path, text).filter(isObject);
  const answered = entries.filter(hadBody);
  const empty = answered.filter((entry) => !hasBody(entry));
  if (empty.length === 0) return undefined;
  if (empty.length === answered.length)
    throw archiveUnusable({
      path,
      reason: `it was recorded without bodies (\`omit\`), and ${empty.length === 1 ? 'its answer' : `all ${empty.length} answers`} would be empty. Record it with \`embed\`.`,
    });
  return {
    count: empty.length,
    of: answered.length,
    first: String(partOf(empty[0], 'request')['url'] ?? ''),
  };
}

function entriesOf(path: string, text: string): readonly unknown[] {
  let archive: unknown;
  try {
    archive = JSON.parse(text);
  } catch (cause) {
    throw archiveUnusable({ path, reason: 'it is no JSON', cause });
  }
  const entries = partOf(archive, 'log')['entries'];
  if (!isList(entries)) throw archiveUnusable({ path, reason: 'it has no "log.entries"' });
  return entries;
}

function hadBody(entry: unknown): boolean {
  return partOf(entry, 'request')['method'] !== 'HEAD' && Number(contentOf(entry)['size']) > 0;
}

function hasBody(entry: unknown): boolean {
  const { text, _file } = contentOf(entry);
  return typeof text === 'string' || typeof _file === 'string';
}

function contentOf(entry: unknown): Readonly<Record<string, unknown>> {
  return partOf(partOf(entry, 'response'), 'content');
}

function partOf(value: unknown, key: string): Readonly<Record<string, unknown>> {
  const part = isObject(value) ? value[key] : undefined;
  return isObject(part) ? part : {};
}
