import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

import type { UnitView } from '../contract.ts';
import { readSecretFile } from '../secret-file.ts';
import { notLinked } from '../not-linked.ts';
import type { World } from '../values/surroundings.ts';

/** Surroundings that references of a unit's steps can see beside variables. */
export function makeWorld(unit: UnitView): World {
  const { run } = unit;
  const { host } = run;
  const { root } = run.options;
  return {
    clock: host.clock,
    random: host.random,
    run: { id: run.id, startedAt: run.startedAt },
    folders: {
      cwd: host.cwd,
      root,
      here: folderOf(unit.unit.file ?? unit.unit.source, root),
      ...(host.home !== undefined && { home: host.home }),
    },
    matrix: unit.unit.matrix ?? {},
    environment: (key, of) => unit.environment.read(key, of),
    isSecretKey: (key) => unit.isSecretKey(key),
    secretFile: (name) => (import.meta.withoutEnvironment ? notLinked('environment') : readSecret(name, unit)),
    temporary: () => run.temporary(),
  };
}

/** The folder of a source, whose id is a path from the root with `/`. */
export function folderOf(source: string, root: string): string {
  if (/^(?:\/|[A-Za-z]:)/.test(source)) return source.slice(0, Math.max(source.lastIndexOf('/'), 1));
  const folders = source.split('/').slice(0, -1);
  let base = root;
  while (folders[0] === '..') {
    folders.shift();
    base = base.replace(/[\\/][^\\/]*$/, '') || '/';
  }
  return folders.length === 0 ? base : `${base.endsWith('/') ? base.slice(0, -1) : base}/${folders.join('/')}`;
}

/** The process environment, as far as steps may read it. */
export function seenEnvironment({ host, settings }: Pick<UnitView['run'], 'host' | 'settings'>): Host['env'] {
  return settings.environment_closed ? {} : host.env;
}

async function readSecret(name: string, { run, world }: UnitView): Promise<string> {
  const { secrets, environment_closed: isClosed } = run.settings;
  const configured = secrets?.file_root;
  if (configured === undefined || isClosed) throw fail.secretRootUnset({ name });
  const folder = /^(?:[\\/]|[A-Za-z]:)/.test(configured) ? configured : `${world.folders.root}/${configured}`;
  const found = await readSecretFile(run.host.owner ?? run.host.files, folder, name);
  if (found === undefined) throw fail.secretFileMissing({ name });
  run.masker.add(found.text);
  return found.text;
}
