import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { startSvc } from '../cli/svc.ts';
import { describeInChromium } from '../fixtures/chromium.ts';

describeInChromium('a temporary folder in which a folder of ours has too long a path for sockets', () => {
  it.skipIf(process.platform !== 'linux')(
    'keeps neither engine from starting a browser, and nothing of ours stays in it',
    async () => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'h-')));
      try {
        const long = join(root, 'a'.repeat(16));
        mkdirSync(long);
        for (const [name, action] of [
          ['w.json', ['WR_new_driver', { webdriver_name: 'chromium' }]],
          ['p.json', ['WR_pw_launch']],
        ] as const) {
          writeFileSync(join(root, name), JSON.stringify({ actions: [action] }));
          const { exit, stdout, stderr } = await startSvc(root, ['run', name], { TMPDIR: long }).ended;
          expect(exit, stdout + stderr).toBe(0);
          expect(readdirSync(long).filter((left) => left.startsWith('svc-'))).toEqual([]);
        }
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
    120_000,
  );
});
