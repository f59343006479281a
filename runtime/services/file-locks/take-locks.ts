import type { TakeLocks } from '#runtime/kernel/linked.ts';

import { openFileLocks } from './service.ts';

/**
 * Waits for locks by name, in the order of their names so that no two who wait hold up each other. They stand in
 * `<root>/.svc/locks`.
 */
export const takeLocks: TakeLocks = async (names, { host, root, signal, release, waits }) => {
  const state = `${root}/.svc`;
  await host.files.makeDirectory(`${state}/locks`, { recursive: true });
  await host.files.write(`${state}/.gitignore`, '*\n', { exclusive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const locks = openFileLocks({ host, release });
  for (const name of [...names].sort()) {
    const path = `${state}/locks/${fileNameOf(name)}`;
    let told = false;
    for (let end = await locks.take(path, signal); 'holder' in end; end = await locks.take(path, signal)) {
      if (!told) waits(name, end.holder);
      told = true;
      await host.clock.sleep(POLL_MS, signal);
    }
  }
};

const POLL_MS = 50;

/** A name as a file may be called everywhere. */
function fileNameOf(name: string): string {
  return encodeURIComponent(name)
    .replace(/[*.~!'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .slice(0, 200);
}
