import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

import { Sequence } from './runner/sequence.ts';
import { Summary } from './runner/summary.ts';
import { workerCount } from './runner/workers.ts';

const conditions = ['source', 'node'];

/**
 * One process runs many files (`isolate: false`): the project keeps no state in modules. Slow tests (browser, kill, full
 * fuzz, pack) are named `*.slow.test.ts`; `--exclude '**\/*.slow.test.ts'` leaves them out.
 */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  cacheDir: '.cache/vite',
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/_actual/**'],
    pool: 'forks',
    isolate: false,
    maxWorkers: workerCount(),
    globalSetup: ['test/runner/prepare.ts'],
    setupFiles: ['test/runner/times.ts', 'test/runner/missing-programs.ts'],
    sequence: { sequencer: Sequence, shuffle: { files: true, tests: true } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    allowOnly: !process.env['CI'],
    passWithNoTests: false,
    reporters: ['default', new Summary()],
  },
});
