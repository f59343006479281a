import type { SecretChain } from './port.ts';

/** `$${` is a literal `${`; what does not look like a reference stays as it is. */
const reference = /\$\$\{|\$\{(?<scheme>[A-Za-z_][A-Za-z0-9_]*):(?<name>[^}]+)\}/g;

/**
 * A copy of a value in which the references of all texts stand resolved, several to a text. Keys and other values are
 * left alone, and what came out of a reference is not searched again. The first one that nobody knows fails.
 */
export async function resolveSecretRefs(value: unknown, chain: Pick<SecretChain, 'resolveOne'>): Promise<unknown> {
  if (typeof value === 'string') return resolveText(value, chain);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value as readonly unknown[]) items.push(await resolveSecretRefs(item, chain));
    return items;
  }
  if (!isPlain(value)) return value;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) entries.push([key, await resolveSecretRefs(item, chain)]);
  return Object.fromEntries(entries);
}

async function resolveText(text: string, chain: Pick<SecretChain, 'resolveOne'>): Promise<string> {
  let resolved = '';
  let end = 0;
  for (const match of text.matchAll(reference)) {
    const { scheme, name } = match.groups ?? {};
    resolved += text.slice(end, match.index);
    resolved += scheme === undefined || name === undefined ? '${' : await chain.resolveOne(scheme, name.trim());
    end = match.index + match[0].length;
  }
  return resolved + text.slice(end);
}

/** Dates and other objects of classes are values, not tables. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
