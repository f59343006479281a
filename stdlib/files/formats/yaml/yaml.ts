import { scanJson } from '#grammar/document/json/scan.ts';
import { DEFAULT_LIMITS } from '#grammar/document/limits.ts';
import type { Base } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { removing, setting, type Operation, type Refusals } from '../key-edits.ts';
import { NOTHING, segmentsOf, valueAt } from '../key-path.ts';

import { changed } from './changed.ts';
import { doubtsAbout } from './doubts.ts';
import { readYamlFile, unreadable, type YamlFile } from './yaml-file.ts';

const refuse: Refusals = {
  forbidden: fail.yamlKeyForbidden,
  keyInList: fail.yamlKeyInList,
  outOfRange: fail.yamlIndexOutOfRange,
};

export const FA_yaml_get = command('FA_yaml_get', async (params, ctx) => {
  const { path, key_path } = params;
  const file = await readYamlFile(ctx.files, path);
  const segments = segmentsOf(key_path, file.value);
  const [doubt] = doubtsAbout(file, segments);
  if (doubt !== undefined) throw unreadable(path, file.text, doubt);
  const found = valueAt(file.value, segments);
  return found === NOTHING ? params.default : found;
});

export const FA_yaml_set = command('FA_yaml_set', async ({ path, key_path, value }, ctx) => {
  requireKey(key_path);
  const file = await readYamlFile(ctx.files, path);
  const segments = segmentsOf(key_path, file.value);
  requireWritable(value as Json, segments.length, path);
  const operation = setting(file.value, segments, value as Json, refuse);
  if (operation.kind === 'insert') requireNoTwin(file, segments, String(operation.key));
  await write(ctx, file, operation);
  return true as const;
});

export const FA_yaml_delete = command('FA_yaml_delete', async ({ path, key_path }, ctx) => {
  requireKey(key_path);
  const file = await readYamlFile(ctx.files, path);
  const segments = segmentsOf(key_path, file.value);
  const operation = removing(file.value, segments);
  if (operation === undefined) return false;
  await write(ctx, file, operation);
  return true;
});

function requireKey(path: string | readonly (string | number)[]): void {
  if (segmentsOf(path, null).length === 0) throw fail.yamlKeyPathEmpty({});
}

/** Fails for a value that a reader of YAML refuses: too much depth, and halves of characters. */
function requireWritable(value: Json, depth: number, path: string): void {
  const text = JSON.stringify(value);
  const { tooDeepAt } = scanJson(text, DEFAULT_LIMITS.depth - depth);
  // Only halves are written as escapes of this kind.
  const hasHalf = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/.test(text);
  if (tooDeepAt !== undefined || hasHalf || depth > DEFAULT_LIMITS.depth) throw fail.yamlValueUnfit({ path });
}

/** Beside a key such as `1`, which is a number, `"1"` would be another one that means the same to many readers. */
function requireNoTwin(file: YamlFile, segments: readonly string[], key: string): void {
  const twin = doubtsAbout(file, segments).find(({ span }) => file.text.slice(span.start, span.end) === key);
  if (twin !== undefined) throw unreadable(file.path, file.text, twin);
}

async function write(
  { files, durable, signal }: Base & { readonly files: Files },
  file: YamlFile,
  operation: Operation,
): Promise<void> {
  const text = await changed(file, operation);
  await files.write(file.path, file.hasMark ? `\ufeff${text}` : text, { durable, signal });
}
