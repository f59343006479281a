import { join, resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

/** Identity and trust of a client in a TLS handshake; the names are those of node:tls. */
export interface ClientIdentity {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
}

export interface IdentityOptions {
  readonly verify: boolean | string;
  readonly cert?: string | readonly [certificate: string, key: string] | undefined;
}

/** Reads and checks the files, so that a wrong one is named before anything is sent. */
export async function readIdentity(
  { verify, cert }: IdentityOptions,
  files: Files,
  cwd: string,
): Promise<ClientIdentity> {
  const ca =
    typeof verify === 'string'
      ? {
          ca: [
            ...process.getBuiltinModule('node:tls').rootCertificates,
            ...(await readAuthorities(files, resolve(cwd, verify))),
          ],
        }
      : {};
  const own = cert === undefined ? {} : await readOwn(files, cwd, typeof cert === 'string' ? [cert, cert] : cert);
  return { rejectUnauthorized: verify !== false, ...ca, ...own };
}

/** A bundle, or every PEM file of a folder. */
async function readAuthorities(files: Files, path: string): Promise<string[]> {
  const stat = await files.find(path);
  if (stat?.kind !== 'directory') return [await readCertificate(files, path, 'verify')];
  const entries = await files.list(path);
  const names = entries.filter(({ name }) => /\.(?:pem|crt|cer|0)$/.test(name)).map(({ name }) => join(path, name));
  if (names.length === 0) throw fail.httpTlsFile({ path, parameter: 'verify', reason: 'ENOENT' });
  return await Promise.all(names.map((name) => readCertificate(files, name, 'verify')));
}

async function readOwn(
  files: Files,
  cwd: string,
  [certificate, key]: readonly [string, string],
): Promise<{ cert: string; key: string }> {
  return {
    cert: await readCertificate(files, resolve(cwd, certificate), 'cert'),
    key: await readPem(files, resolve(cwd, key), 'cert', (pem) =>
      process.getBuiltinModule('node:crypto').createPrivateKey(pem),
    ),
  };
}

async function readCertificate(files: Files, path: string, parameter: string): Promise<string> {
  return await readPem(
    files,
    path,
    parameter,
    (pem) => new (process.getBuiltinModule('node:crypto').X509Certificate)(pem),
  );
}

async function readPem(
  files: Files,
  path: string,
  parameter: string,
  check: (pem: string) => unknown,
): Promise<string> {
  try {
    const pem = new TextDecoder().decode(await files.read(path));
    check(pem);
    return pem;
  } catch (cause) {
    throw fail.httpTlsFile({ path, parameter, reason: reasonOf(cause), cause });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
