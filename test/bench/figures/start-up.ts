import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { asYaml } from '../action-files.ts';
import type { Figure } from '../figure.ts';
import { nothing, svc } from '../paths.ts';

export const figures: readonly Figure[] = [
  {
    name: 'svc --version',
    beside: 'node -e 0',
    aim: 1.5,
    runs: 21,
    prepare: () => ({ subject: { args: [svc, '--version'] }, floor: nothing }),
  },
  {
    name: 'svc --help',
    beside: 'node -e 0',
    aim: 1.5,
    runs: 21,
    prepare: () => ({ subject: { args: [svc, '--help'] }, floor: nothing }),
  },
  {
    name: 'svc check, 50 actions',
    beside: 'node -e 0',
    aim: 3,
    runs: 21,
    prepare(folder) {
      const file = join(folder, 'fifty.yaml');
      writeFileSync(file, asYaml(50));
      return { subject: { args: [svc, 'check', file] }, floor: nothing };
    },
  },
];
