import * as fail from '#schemas/generated/failures.ts';

import type { UnitRun } from './unit-run.ts';

/**
 * Reads the `.env` files of a unit that asks for its environment: beside the file first, then at the root. A file named
 * from outside stands in place of `.env`.
 */
export async function loadEnvironment(work: UnitRun): Promise<void> {
  const { unit, run, world } = work;
  const named = run.options.environment?.file;
  if (unit.needs.env.length === 0 && !unit.needs.ports.includes('environment') && named === undefined) return;
  const folders = [...new Set([world.folders.here, world.folders.root])];
  await readFirst(work, named === undefined ? folders.map((folder) => `${folder}/.env`) : [named]);
  const name = run.options.environment?.name ?? unit.env;
  if (name !== undefined)
    await readFirst(
      work,
      folders.map((folder) => `${folder}/.env.${name}`),
    );
}

async function readFirst(work: UnitRun, paths: readonly string[]): Promise<void> {
  const { files, parseEnv } = work.run.host;
  for (const path of paths) {
    const found = await files.find(path);
    if (found?.kind !== 'file') continue;
    await refuseOutside(work, path);
    return work.environment.load(parseEnv(new TextDecoder().decode(await files.read(path))));
  }
}

/** A dry run is looked at before anybody trusts the project: nothing that a link of it names elsewhere is shown. */
async function refuseOutside({ run, world }: UnitRun, path: string): Promise<void> {
  if (!run.options.dryRun || path === run.options.environment?.file) return;
  const { files } = run.host;
  const real = await files.realPath(path);
  const { root, here } = world.folders;
  for (const folder of [root, here]) if (isBelow(real, await files.realPath(folder))) return;
  throw fail.environmentFileOutside({ path });
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(/[/\\]$/.test(folder) ? folder : `${folder}/`) || path.startsWith(`${folder}\\`);
}
