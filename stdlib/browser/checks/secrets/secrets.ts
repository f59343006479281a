import { readDocument } from '#grammar/document/read.ts';
import { linesOf } from '#grammar/source/lines.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { command } from '#stdlib/command.ts';

import { secretsInText, secretsInValue } from './scan.ts';

/** Largest file (bytes). */
const LARGEST = 64 * 1024 * 1024;

export const WR_scan_secrets = command('WR_scan_secrets', ({ data }) =>
  secretsInValue(data).map(({ path, rule, preview }) => ({ path, rule, preview })),
);

export const WR_assert_no_secrets = command('WR_assert_no_secrets', ({ data }) => {
  const found = secretsInValue(data);
  const [first] = found;
  if (!first) return null;
  const places = found.slice(0, 10).map(({ path, rule }) => `${path === '' ? 'the text' : path} (${rule})`);
  throw fail.secretsFound({ count: found.length, places: places.join(', ') });
});

export const WR_scan_secrets_file = command('WR_scan_secrets_file', async ({ path }, ctx) => {
  const bytes = await read(ctx.files, path);
  if (!/\.(?:json|ya?ml)$/i.test(path)) return secretsInText(new TextDecoder().decode(bytes));
  const { document, text, diagnostics } = await readDocument(bytes, { source: path });
  if (!document) throw unreadable(path, diagnostics[0]?.message);
  const lines = linesOf(text);
  return secretsInValue(document.value).map(({ route, part, path: where, rule, preview }) => ({
    path: where,
    rule,
    preview,
    ...lines.position(document.spanAt(route, part).start),
  }));
});

async function read(files: Files, path: string): Promise<Uint8Array> {
  const found = await files.find(path);
  if (!found) throw fail.fileNotFound({ path });
  if (found.kind === 'directory') throw fail.isAFolder({ path });
  return files.readRegular(path, { limit: LARGEST });
}

function unreadable(path: string, reason = 'it is empty'): Error {
  return fail.actionFileUnreadable({ path, reason });
}
