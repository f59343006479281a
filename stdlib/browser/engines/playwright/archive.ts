import type { PortContext } from '#runtime/kernel/ports.ts';
import type { Json } from '#schemas/types/json.ts';
import { isSecretHeader } from '#schemas/types/secret-key.ts';

/** Larger archives are left as the browser wrote them, and that is told. */
const limitBytes = 256 * 1024 * 1024;
const MASK = '***';

/** Hides secrets in a network archive: values of headers and cookies, and everything that is masked in this run. */
export async function maskArchive(path: string, { host, masked, notice }: PortContext): Promise<void> {
  // Bodies in a ZIP, or in files beside it, are as they were sent; the declaration says so.
  if (path.endsWith('.zip') || !(await host.files.find(path))) return;
  const stat = await host.files.stat(path);
  if (stat.size > limitBytes)
    return notice('warning', `The network archive "${path}" is too large to be masked: it holds what was sent.`);
  const archive = JSON.parse(Buffer.from(await host.files.read(path)).toString('utf8')) as Json;
  await host.files.write(path, JSON.stringify(masked(hidden(archive)), undefined, 2));
}

/** Pairs of name and value stand in lists called `headers` and `cookies`. */
function hidden(value: Json, list = ''): Json {
  if (Array.isArray(value)) return value.map((entry) => hidden(entry, list));
  if (typeof value !== 'object' || value === null) return value;
  const { name } = value as { readonly name?: Json };
  const tells = list === 'cookies' || (list === 'headers' && typeof name === 'string' && isSecretHeader(name));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, tells && key === 'value' ? MASK : hidden(part, key)]),
  );
}
