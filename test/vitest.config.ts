import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

import { Summary } from './summary.ts';

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
    testTimeout: 20_000,
    hookTimeout: 60_000,
    allowOnly: !process.env['CI'],
    passWithNoTests: false,
    reporters: ['default', new Summary()],
  },
});
