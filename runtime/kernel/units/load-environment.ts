import type { UnitRun } from './unit-run.ts';

/**
 * Reads the `.env` files of a unit that asks for its environment: beside the file first, then at the root. A file named from
 * outside stands in place of `.env`.
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

async function readFirst({ run, environment }: UnitRun, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await run.host.files.find(path);
    if (found?.kind !== 'file') continue;
    return environment.load(run.host.parseEnv(new TextDecoder().decode(await run.host.files.read(path))));
  }
}
