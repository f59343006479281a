import { resolve } from 'node:path';

import type { PortContext, Provider } from '#runtime/kernel/ports.ts';

import { openArchive } from './open-archive.ts';
import type { ZipPort } from './port.ts';
import { writeArchive } from './write-archive.ts';

export const provider: Provider<'zip'> = { open };

function open({ host, folders, settings, mask }: PortContext): ZipPort {
  const passwords = new Map<string, string>();
  const keyOf = (path: string): string => resolve(folders.cwd, path);
  const { limits = {} } = settings;
  const ownLimits = {
    entries: limits['archive_entries'] ?? 100_000,
    bytes: limits['archive_bytes'] ?? 10 * 1024 ** 3,
    ratio: limits['archive_ratio'] ?? 200,
    readBytes: limits['archive_read_bytes'] ?? 64 * 1024 ** 2,
  };
  return {
    limits: ownLimits,
    open: (path) => openArchive(host, path, { entries: ownLimits.entries, password: passwords.get(keyOf(path)) }),
    write: (path, sources, options) => writeArchive(host.files, path, sources, options),
    remember: (path, password) => {
      mask(password);
      passwords.set(keyOf(path), password);
    },
  };
}
