import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { counted } from '#grammar/source/counted.ts';
import { commandRaising } from '#stdlib/command.ts';

import { bytesOf, keyForReading, keyForWriting, textOf } from './key.ts';
import { openFile } from './open-file.ts';
import { MOST_BYTES, sealedBytes, sealFile } from './seal-file.ts';

const command = commandRaising('CryptoException');

const MIN_SALT_BYTES = 16;
const MIN_ITERATIONS = 100_000;

export const FA_encrypt_file = command(
  'FA_encrypt_file',
  async ({ source, target, key: text, associated_data, progress_name }, ctx) => {
    const key = keyForWriting(text);
    const associated = bytesOf(associated_data, 'associated_data');
    const { size } = await requireSource(ctx.files, source, 'encrypt');
    if (size > MOST_BYTES) throw fail.cipherLimit({ path: source, limit: MOST_BYTES });
    const plaintext_bytes = await ctx.progress.watch(
      { name: progress_name, total: size, signal: ctx.signal },
      (transfer) =>
        sealFile(
          { ...ctx, signal: transfer.signal },
          { source, target, key, associated, onBytes: (bytes) => transfer.update(bytes) },
        ),
    );
    return { plaintext_bytes, ciphertext_bytes: sealedBytes(plaintext_bytes, associated) };
  },
);

export const FA_decrypt_file = command(
  'FA_decrypt_file',
  async ({ source, target, key: text, associated_data, progress_name }, ctx) => {
    const key = keyForReading(text);
    const associated = associated_data === null ? undefined : bytesOf(associated_data, 'associated_data');
    await requireSource(ctx.files, source, 'decrypt');
    return ctx.progress.watch({ name: progress_name, signal: ctx.signal }, (transfer) =>
      openFile({ ...ctx, signal: transfer.signal }, { source, target, key, associated, transfer }),
    );
  },
);

export const FA_generate_key = command('FA_generate_key', async ({ bits, key_path }, ctx) => {
  const key = textOf(ctx.random.bytes(bits / 8));
  ctx.mask(key);
  // A key that is there already may be the only one that opens some file.
  if (key_path !== null)
    await ctx.files.write(key_path, `${key}\n`, {
      exclusive: true,
      mode: 0o600,
      parents: true,
      durable: true,
      signal: ctx.signal,
    });
  return key;
});

export const FA_key_from_password = command(
  'FA_key_from_password',
  async ({ password, salt: text, iterations, bits, force }, ctx) => {
    const salt = bytesOf(text, 'salt');
    if (salt.length < MIN_SALT_BYTES)
      throw fail.derivationWeak({
        what: `The salt has ${counted(salt.length, 'byte')}, at least ${MIN_SALT_BYTES} are needed`,
      });
    if (iterations < MIN_ITERATIONS && !force)
      throw fail.derivationWeak({ what: `${iterations} rounds are too few, at least ${MIN_ITERATIONS} are needed` });
    const key = textOf(
      await ctx.cipher.deriveKey(new TextEncoder().encode(password), salt, {
        iterations,
        bytes: bits / 8,
        signal: ctx.signal,
      }),
    );
    ctx.mask(key);
    return key;
  },
);

async function requireSource(files: Files, path: string, verb: string): Promise<{ readonly size: number }> {
  const found = await files.find(path);
  if (found?.kind !== 'file') throw fail.cryptoSource({ path, verb });
  return found;
}
