import { homedir } from 'node:os';

import type { Files, Host } from '#schemas/types/host.ts';

import { absent } from './absent.ts';
import { clock } from './clock.ts';
import { digestNames, openDigest } from './digest/digest.ts';
import { coreFiles } from './files.ts';
import type { Bulk, HostParts, HostPlace, Trees } from './host-parts.ts';
import { lookup } from './lookup.ts';
import { random } from './random.ts';
import { whenNeeded } from './when-needed.ts';

/**
 * The real host with some of its parts: this process and the machine that it runs on; its folder and environment,
 * unless others are given. `from` lets relative paths begin at the folder that is given; without one they begin where
 * the process stands.
 */
export function hostWith(
  parts: HostParts,
  given: HostPlace = {},
  from: (cwd: string, files: Files) => Files = (_, files) => files,
): Host {
  const { platform } = process;
  const env = given.env ?? { ...process.env };
  const files = { ...coreFiles, ...(parts.bulk ?? withoutBulk), ...(parts.trees ?? withoutTrees) };
  return {
    platform: platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other',
    clock,
    random,
    files: given.cwd === undefined ? files : from(given.cwd, files),
    processes: parts.processes?.(env, given.cwd) ?? {
      run: absent,
      start: absent,
      adopt: absent,
      expect: absent,
      // Where nothing starts a program, none needs to be known.
      settle: () => ({ at: 0, places: {}, marks: {} }),
      find: absent,
      isUnchanged: absent,
      changedBelow: absent,
    },
    env,
    cwd: given.cwd ?? process.cwd(),
    ...ownHome(),
    ...(parts.match?.() ?? { match: absent, matchMany: absent }),
    lookup,
    digest: import.meta.withoutDigests ? absent : openDigest,
    get digests() {
      return import.meta.withoutDigests ? absent() : digestNames();
    },
    parseEnv: (text) => ({ ...whenNeeded.util.parseEnv(text) }) as Record<string, string>,
  };
}

function ownHome(): Pick<Host, 'home'> {
  try {
    return { home: homedir() };
  } catch {
    // A user of whom the system knows nothing but the number.
    return {};
  }
}

const withoutBulk: Bulk = { copyMany: absent, digest: absent, sameContent: absent, tellApart: absent };
const withoutTrees: Trees = {
  moveInto: absent,
  removeTree: absent,
  survey: absent,
  // Remains of dead runs are removed by programs that make such folders.
  sweepTemporary: async () => {},
  temporaryDirectory: absent,
};
