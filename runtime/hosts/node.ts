import type { Host } from '#schemas/types/host.ts';

import { clock } from './node/clock.ts';
import { digestNames, openDigest } from './node/digest/digest.ts';
import { files } from './node/files.ts';
import { lookup } from './node/lookup.ts';
import { makeMatch } from './node/match.ts';
import { makeProcesses } from './node/programs/processes.ts';
import { random } from './node/random.ts';
import { whenNeeded } from './node/when-needed.ts';

/** The real host: this process and the machine that it runs on; its folder and environment, unless others are given. */
export function nodeHost(given: Partial<Pick<Host, 'cwd' | 'env'>> = {}): Host {
  const { platform } = process;
  const env = given.env ?? { ...process.env };
  return {
    platform: platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other',
    clock,
    random,
    files,
    processes: makeProcesses(env),
    env,
    cwd: given.cwd ?? process.cwd(),
    ...makeMatch(),
    lookup,
    digest: openDigest,
    get digests() {
      return digestNames();
    },
    parseEnv: (text) => ({ ...whenNeeded.util.parseEnv(text) }) as Record<string, string>,
  };
}
