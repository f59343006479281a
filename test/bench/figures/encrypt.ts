import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { actionProgram } from '../action-program.ts';
import { bigText, textSize } from '../big-files.ts';
import type { Amount, Figure } from '../figure.ts';
import { measure, type Run } from '../measure.ts';
import { floor } from '../paths.ts';
import { inMemory, scratch } from '../scratch.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

interface Sealing {
  readonly subject: Run;
  readonly floor: Run;
  close(): void;
}

/**
 * Both write in memory, where there is such: flushing to the disk, which encrypted output always is, would hide the
 * rest.
 */
function sealing(folder: string): Sealing {
  const { folder: at, remove } = scratch(inMemory);
  bigText(join(at, 'big.txt'));
  const program = actionProgram(folder, [
    'FA_encrypt_file',
    { source: join(at, 'big.txt'), target: join(at, 'big.enc'), key: KEY },
  ]);
  const before = (): void => rmSync(join(at, 'big.enc'), { force: true });
  return {
    subject: { ...program, before },
    floor: { args: [floor('seal'), join(at, 'big.txt'), join(at, 'big.enc')], cwd: folder, before },
    close: remove,
  };
}

export const figures: readonly (Figure | Amount)[] = [
  {
    name: `AES-256-GCM of ${textSize}, file to file`,
    beside: 'a script with one buffer',
    aim: 1.1,
    runs: 7,
    prepare: sealing,
  },
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
