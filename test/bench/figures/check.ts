import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { asJson, asYaml } from '../action-files.ts';
import type { Figure } from '../figure.ts';
import { floor, svc } from '../paths.ts';

function check(count: number, ending: 'json' | 'yaml', aim: number): Figure {
  return {
    name: `svc check, ${count} actions, ${ending.toUpperCase()}`,
    beside: ending === 'json' ? 'JSON.parse of the same file' : 'js-yaml load of the same file',
    aim,
    memoryAim: 3,
    runs: 5,
    prepare(folder) {
      const file = join(folder, `many.${ending}`);
      writeFileSync(file, ending === 'json' ? asJson(count) : asYaml(count));
      return { subject: { args: [svc, 'check', file] }, floor: { args: [floor(`parse-${ending}`), file] } };
    },
  };
}

export const figures: readonly Figure[] = [
  check(10_000, 'json', 3),
  check(100_000, 'json', 3),
  check(10_000, 'yaml', 1.5),
  check(100_000, 'yaml', 1.5),
];
