import { AsyncLocalStorage } from 'node:async_hooks';

import type { Host } from '#schemas/types/host.ts';

/**
 * A folder of this run for what one browser and its library put down; a run that was killed leaves it to the next one.
 */
export interface OwnFolder {
  readonly path: string;
  /** Does work whose folders for passing files are made in this one. */
  within<Result>(work: () => Promise<Result>): Promise<Result>;
  remove(): Promise<void>;
}

const patched = Symbol('svc.own-folder');
const current = new AsyncLocalStorage<string>();

export async function makeOwnFolder({ files }: Host): Promise<OwnFolder> {
  const path = await files.temporaryDirectory('svc-browser-');
  redirect();
  return { path, within: (work) => current.run(path, work), remove: () => files.removeTree(path) };
}

/**
 * The library takes no folder for the profile that it makes: it asks Node for the system's folder for passing files.
 * Only those who ask inside of `within` are told another one.
 */
function redirect(): void {
  const os = process.getBuiltinModule('node:os');
  if (patched in os.tmpdir) return;
  const { tmpdir } = os;
  os.tmpdir = Object.assign(() => current.getStore() ?? tmpdir(), { [patched]: true });
}
