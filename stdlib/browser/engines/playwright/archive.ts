import { dirname, join } from 'node:path';

import type { PortContext } from '#runtime/kernel/ports.ts';
import type { Json } from '#schemas/types/json.ts';
import { isSecretHeader } from '#schemas/types/secret-key.ts';

type Masking = Pick<PortContext, 'host' | 'masked' | 'notice' | 'port'>;

/** Larger archives are left as the browser wrote them, and that is told. */
const limitBytes = 256 * 1024 * 1024;
/** The most members of a packed archive: one for each body. */
const mostMembers = 100_000;
const MASK = '***';

/**
 * Hides secrets in a network archive: values of headers and cookies, and everything that is masked in this run, in
 * bodies too, whether they are in the archive, in files beside it or in a ZIP.
 */
export async function maskArchive(path: string, context: Masking): Promise<void> {
  const { host, notice } = context;
  if (!(await host.files.find(path))) return;
  const stat = await host.files.stat(path);
  if (stat.size > limitBytes)
    return notice('warning', `The network archive "${path}" is too large to be masked: it holds what was sent.`);
  if (path.endsWith('.zip')) await maskPacked(path, context);
  else await maskPlain(path, context);
}

async function maskPlain(path: string, { host, masked }: Masking): Promise<void> {
  const archive = JSON.parse(Buffer.from(await host.files.read(path)).toString('utf8')) as Json;
  await host.files.write(path, JSON.stringify(masked(hidden(archive)), undefined, 2));
  for (const name of bodiesBeside(archive)) {
    const body = join(dirname(path), name);
    if (await host.files.find(body)) await host.files.write(body, maskedBytes(await host.files.read(body), masked));
  }
}

/** Unpacked into a folder of its own, and packed again. */
async function maskPacked(path: string, { host, masked, port }: Masking): Promise<void> {
  const zip = await port('zip');
  const { signal } = new AbortController();
  const folder = await host.files.temporaryDirectory('svc-archive-');
  try {
    const packed = await zip.open(path, { entries: mostMembers });
    const sources = [];
    try {
      for (const [place, member] of packed.members.entries()) {
        const pieces: Uint8Array[] = [];
        for await (const piece of member.content({ password: undefined, signal })) pieces.push(piece);
        const bytes = Buffer.concat(pieces);
        const content = member.name.endsWith('.har')
          ? Buffer.from(JSON.stringify(masked(hidden(JSON.parse(bytes.toString('utf8')) as Json))))
          : maskedBytes(bytes, masked);
        const file = join(folder, String(place));
        await host.files.write(file, content);
        sources.push({
          name: member.name,
          path: file,
          size: content.length,
          mode: 0o644,
          modifiedMs: member.modifiedMs,
        });
      }
    } finally {
      await packed.close();
    }
    await zip.write(path, sources, { durable: false, signal });
  } finally {
    await host.files.removeTree(folder);
  }
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

/** Names of the files that hold bodies, as the library gives them: a digest and an ending. */
function bodiesBeside(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(bodiesBeside);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === '_file' && typeof part === 'string' && /^[\w-]+(?:\.[\w-]+)*$/.test(part) ? [part] : bodiesBeside(part),
  );
}

/** A body without secrets. Bytes that are no UTF-8 keep theirs. */
function maskedBytes(bytes: Uint8Array, masked: PortContext['masked']): Uint8Array {
  const body = Buffer.from(bytes);
  const encoding = body.equals(Buffer.from(body.toString('utf8'))) ? 'utf8' : 'latin1';
  const text = body.toString(encoding);
  const clean = masked(text);
  return clean === text ? bytes : Buffer.from(clean, encoding);
}
