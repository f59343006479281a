import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { asJson, asYaml } from '../action-files.ts';
import type { Figure } from '../figure.ts';
import { floor, svc } from '../paths.ts';

const COUNT = 10_000;

export const figures: readonly Figure[] = [
  {
    name: `svc lint, ${COUNT} actions, JSON`,
    beside: 'svc check of the same file',
    aim: 1.5,
    runs: 5,
    prepare(folder) {
      const file = join(folder, 'many.json');
      writeFileSync(file, asJson(COUNT));
      return { subject: { args: [svc, 'lint', file] }, floor: { args: [svc, 'check', file] } };
    },
  },
  {
    name: `svc fmt, ${COUNT} actions, YAML`,
    beside: '`yaml` reading and printing the same file',
    aim: 2,
    runs: 5,
    prepare(folder) {
      const file = join(folder, 'many.yaml');
      writeFileSync(file, asYaml(COUNT));
      return {
        subject: { args: [svc, 'fmt', '--check', file], status: 1 },
        floor: { args: [floor('yaml-print'), file] },
      };
    },
  },
];
