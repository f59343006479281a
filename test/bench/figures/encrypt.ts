import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { bigText, textSize } from '../big-files.ts';
import type { Amount, Figure } from '../figure.ts';
import { measure, type Run } from '../measure.ts';
import { floor, svc } from '../paths.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

interface Sealing {
  readonly subject: Run;
  readonly floor: Run;
  close(): void;
}

/** Both write in memory, where there is such: flushing to the disk, which encrypted output always is, would hide the rest. */
function sealing(folder: string): Sealing {
  const at = join(existsSync('/dev/shm') ? '/dev/shm' : folder, `svc-bench-${process.pid}`);
  const close = (): void => rmSync(at, { recursive: true, force: true });
  close();
  mkdirSync(at, { recursive: true });
  bigText(join(at, 'big.txt'));
  writeFileSync(join(folder, 'seal.json'), JSON.stringify({ actions: [['FA_encrypt_file', { source: join(at, 'big.txt'), target: join(at, 'big.enc'), key: KEY }]] }));
  execFileSync(process.execPath, [svc, 'compile', 'seal.json', '--out', 'program'], { cwd: folder, stdio: 'ignore' });
  const before = (): void => rmSync(join(at, 'big.enc'), { force: true });
  return {
    subject: { args: ['program/seal.mjs', '--record', 'record.jsonl'], cwd: folder, before },
    floor: { args: [floor('seal'), join(at, 'big.txt'), join(at, 'big.enc')], cwd: folder, before },
    close,
  };
}

export const figures: readonly (Figure | Amount)[] = [
  { name: `AES-256-GCM of ${textSize}, file to file`, beside: 'a script with one buffer', aim: 1.1, runs: 7, prepare: sealing },
  {
    name: `AES-256-GCM of ${textSize}, peak memory`,
    unit: 'MiB',
    aim: 64,
    wanted: 'at-most',
    async amount(folder) {
      const { subject, close } = sealing(folder);
      try {
        return (await measure(subject)).memory;
      } finally {
        close();
      }
    },
  },
];
