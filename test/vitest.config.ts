import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

import { orderSeed } from './runner/seed.ts';
import { Sequence } from './runner/sequence.ts';
import { Summary } from './runner/summary.ts';
import { workerCount } from './runner/workers.ts';

const conditions = ['source', 'node'];
const root = fileURLToPath(new URL('..', import.meta.url));
const seed = orderSeed(root);

/**
 * One process runs many files (`isolate: false`): the project keeps no state in modules. Slow tests (browser, kill,
 * full fuzz, pack) are named `*.slow.test.ts`; `--exclude '**\/*.slow.test.ts'` leaves them out.
 */
export default defineConfig({
  root,
  cacheDir: '.cache/vite',
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/_actual/**'],
    // Node reads no TypeScript of packages, which is what the condition "source" finds below these.
    server: { deps: { inline: ['@modelcontextprotocol/client', /[/]eventsource(?:-parser)?[/]/] } },
    pool: 'forks',
    isolate: false,
    // Most objects of tests live shortly: room for them saves a fifth of the processor time of a worker.
    execArgv: ['--max-semi-space-size=128'],
    maxWorkers: workerCount(),
    globalSetup: ['test/runner/prepare.ts'],
    setupFiles: ['test/runner/times.ts', 'test/runner/missing-programs.ts'],
    sequence: { sequencer: Sequence, shuffle: { files: true, tests: true }, ...(seed !== undefined && { seed }) },
    // A machine that is busy fails a test now and then: CI tries it twice more, and the summary names it.
    retry: process.env['CI'] ? 2 : 0,
    // Programs that tests ask (unzip, bsdtar, Python) read the names of files as ASCII where no locale is set.
    env: { LANG: process.env['LANG'] ?? 'C.UTF-8' },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    allowOnly: !process.env['CI'],
    passWithNoTests: false,
    reporters: ['default', new Summary()],
  },
});
