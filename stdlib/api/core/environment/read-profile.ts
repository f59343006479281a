import type { Ports } from '#runtime/kernel/ports.ts';
import { typeName } from '#runtime/kernel/values/type-name.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

// `$${` writes the two signs; `${NAME}`, `${env:NAME}`, `${ENV.NAME}`, each with `:-text`. Other text in braces stays.
const reference = /\$\$\{|\$\{(?:env:|ENV\.)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g;
const variableName = /^[A-Za-z0-9_.[\]]+$/;

/** The values of a profile, with those of the environment filled in. */
export async function readProfile(path: string, ctx: Pick<Ports, 'files' | 'environment'>): Promise<JsonObject> {
  const profile = parseProfile(path, await readText(path, ctx.files));
  return Object.fromEntries(
    Object.entries(profile).map(([name, value]) => [name, fill(value, name, path, ctx.environment)]),
  );
}

async function readText(path: string, files: Ports['files']): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await files.read(path));
  } catch (cause) {
    throw fail.envProfileUnreadable({ path, reason: codeOf(cause), cause });
  }
}

function parseProfile(path: string, text: string): JsonObject {
  let profile: Json;
  try {
    profile = JSON.parse(text) as Json;
  } catch (cause) {
    throw fail.envProfileShape({ path, reason: cause instanceof Error ? cause.message : '', cause });
  }
  if (!isObject(profile)) throw fail.envProfileShape({ path, reason: typeName(profile) });
  const odd = Object.keys(profile).find((name) => !variableName.test(name));
  if (odd !== undefined) throw fail.envProfileShape({ path, reason: JSON.stringify(odd) });
  return profile;
}

function fill(value: Json, name: string, path: string, environment: Ports['environment']): Json {
  if (typeof value === 'string') return fillText(value, name, path, environment);
  if (Array.isArray(value)) return value.map((item: Json) => fill(item, name, path, environment));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, name, path, environment)]));
}

function fillText(text: string, name: string, path: string, environment: Ports['environment']): string {
  return text.replace(reference, (whole: string, key: string | undefined, fallback: string | undefined) => {
    if (key === undefined) return '${';
    const value = environment.read(key) ?? fallback;
    if (value === undefined) throw fail.envProfileUnset({ path, reference: whole, name });
    return value;
  });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
