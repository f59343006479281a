import type { Host } from '#schemas/types/host.ts';

import { clock } from './node/clock.ts';
import { digestNames, openDigest } from './node/digest.ts';
import { files } from './node/files.ts';
import { makeMatch } from './node/match.ts';
import { makeProcesses } from './node/processes.ts';
import { random } from './node/random.ts';
import { whenNeeded } from './node/when-needed.ts';

/** The real host: this process and the machine that it runs on. */
export function nodeHost(): Host {
  const { platform } = process;
  return {
    platform: platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other',
    clock,
    random,
    files,
    processes: makeProcesses(),
    env: { ...process.env },
    cwd: process.cwd(),
    match: makeMatch(),
    digest: openDigest,
    get digests() {
      return digestNames();
    },
    parseEnv: (text) => ({ ...whenNeeded.util.parseEnv(text) }) as Record<string, string>,
  };
}
