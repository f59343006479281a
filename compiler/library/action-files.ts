import { nodeHost } from '#runtime/hosts/node.ts';
import { asFailure } from '#runtime/kernel/as-failure.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';

/**
 * The content of an action file, JSON or YAML, as values. Rejects with `JsonActionException` where it is missing or
 * broken.
 */
export async function read_action_json(
  json_file_path: string,
  { host = nodeHost() }: { readonly host?: Host } = {},
): Promise<Json> {
  let bytes: Uint8Array;
  try {
    bytes = await host.files.read(json_file_path);
  } catch (cause) {
    throw fail.actionsUnreadable({
      path: json_file_path,
      reason: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
  const { readDocument } = await import('#grammar/document/read.ts');
  const { document, diagnostics } = await readDocument(bytes, { source: json_file_path });
  const finding = diagnostics.find(({ severity }) => severity === 'error');
  if (!document || finding)
    throw fail.actionsUnreadable({ path: json_file_path, reason: finding?.message ?? 'it is empty' });
  return document.value;
}

/**
 * Writes an action file as JSON with four blanks a level, whole or not at all. Rejects with `JsonActionException`
 * before anything is written where a value is not JSON.
 */
export async function write_action_json(
  json_save_path: string,
  action_json: Json,
  { host = nodeHost() }: { readonly host?: Host } = {},
): Promise<null> {
  const problem = whyNotJson(action_json);
  if (problem !== undefined) throw fail.notJson({ path: json_save_path, reason: problem });
  try {
    await host.files.write(json_save_path, `${JSON.stringify(action_json, null, 4)}\n`);
  } catch (error) {
    throw asFailure(error, 'write_action_json');
  }
  return null;
}

function whyNotJson(value: unknown): string | undefined {
  try {
    return unlikeJson(value, '', new Set());
  } catch (error) {
    if (error instanceof RangeError) return 'it is nested too deep';
    throw error;
  }
}

/** The part of a value that JSON cannot hold, in words; `JSON.stringify` would drop or change it without a word. */
function unlikeJson(value: unknown, at: string, around: ReadonlySet<unknown>): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${place(at)} is ${value}`;
  if (typeof value !== 'object') return `${place(at)} is of type ${typeof value}`;
  if (around.has(value)) return `${place(at)} holds itself`;
  const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);
  if (!isPlain) return `${place(at)} is of class ${value.constructor.name}`;
  const within = new Set([...around, value]);
  // Holes of a list have no entries, and would be written as null.
  for (const [key, part] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const problem = unlikeJson(part, `${at}/${key}`, within);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function place(at: string): string {
  return at === '' ? 'the whole' : `"${at}"`;
}
