import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

/** A document of a file, and how to read others. */
export interface DocumentFile {
  /** Absolute path. */
  readonly path: string;
  /** Folder that references may not leave. */
  readonly root: string;
  readonly files: { read(path: string): Promise<Uint8Array> };
}

/** The document of a text as `readOpenApi` reads it, with the files that it refers to. */
export async function readOpenApiFile(
  text: string,
  { path, root, files }: DocumentFile,
): Promise<{ readonly document: JsonObject } | { readonly error: string }> {
  const read = await readOpenApi(text);
  if ('error' in read) return read;
  const valueAt = async (other: string): Promise<Json | undefined> => {
    try {
      const value = await readJsonOrYaml(new TextDecoder().decode(await files.read(other)));
      return 'json' in value ? value.json : undefined;
    } catch {
      return undefined;
    }
  };
  const { gatherFiles } = await import('./gather-files.ts');
  return { document: await gatherFiles(read.document, { path, root, read: valueAt }) };
}

/**
 * The document of a JSON or YAML text, or why it is none; references to other files lead nowhere. The reader of YAML is
 * loaded where it is needed.
 */
export async function readOpenApi(
  text: string,
): Promise<{ readonly document: JsonObject } | { readonly error: string }> {
  const value = await readJsonOrYaml(text);
  if ('error' in value) return value;
  const document = value.json;
  if (!isObject(document)) return { error: 'it is no object' };
  const { openapi, swagger, paths } = document;
  if (typeof openapi !== 'string' && typeof swagger !== 'string')
    return { error: 'it has neither "openapi" nor "swagger" with a version' };
  if (!isObject(paths ?? {})) return { error: '"paths" is no object' };
  return { document };
}

/** The value of a text that begins like JSON, or of one in YAML. */
export async function readJsonOrYaml(text: string): Promise<{ readonly json: Json } | { readonly error: string }> {
  try {
    if (/^\uFEFF?\s*[[{]/.test(text)) return { json: JSON.parse(text.replace(/^\uFEFF/, '')) as Json };
  } catch (error) {
    // A flow collection of YAML begins like JSON.
    if (!(error instanceof SyntaxError) || text.length > 10_000_000) return { error: reasonOf(error) };
  }
  try {
    const { readPlainYaml } = await import('#grammar/document/yaml/read-plain.ts');
    return { json: readPlainYaml(text) };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
