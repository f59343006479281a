import { resolve } from 'node:path';

import type { PortContext, Provider } from '#runtime/kernel/ports.ts';

import { openArchive } from './open-archive.ts';
import type { ZipPort } from './port.ts';
import { writeArchive } from './write-archive.ts';

export const provider: Provider<'zip'> = { open };

function open({ host, folders, mask, port }: PortContext): ZipPort {
  const passwords = new Map<string, string>();
  const keyOf = (path: string): string => resolve(folders.cwd, path);
  return {
    open: (path, { entries }) => openArchive(host.files, path, { entries, password: passwords.get(keyOf(path)) }),
    write: async (path, sources, options) =>
      writeArchive({ files: host.files, compression: await port('compression') }, path, sources, options),
    remember: (path, password) => {
      mask(password);
      passwords.set(keyOf(path), password);
    },
  };
}
