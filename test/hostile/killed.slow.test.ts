import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { mark } from '#runtime/hosts/node/write/temporary.ts';

import { startSvc } from '../cli/svc.ts';
import { processesHolding } from '../commands/files/local/processes-holding.ts';
import { lacks } from '../fixtures/programs.ts';

let root = '';
let temporary = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-hostile-')));
  temporary = join(root, 'tmp');
  mkdirSync(temporary);
  writeFileSync(join(root, 'svc.config.yaml'), '{}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const runFolders = (): readonly string[] => readdirSync(temporary).filter((name) => name.startsWith('svc-'));

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const begin = performance.now();
  while (!(await holds())) {
    if (performance.now() - begin > 20_000) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Programs that a shell leaves in the background: one in a session of its own, one that answers to no signal,
 * and one that is stopped.
 */
const family = (length: number): string =>
  [
    `sleep ${length} & `,
    `setsid sleep ${length} & `,
    `sh -c 'trap "" TERM HUP INT; sleep ${length}; :' & `,
    `sleep ${length} & stopped=$!; sleep 0.3; kill -STOP $stopped; `,
    `echo x > begun; sleep ${length}`,
  ].join('');

describe.skipIf(process.platform !== 'linux' || lacks('sh', 'setsid', 'sleep'))(
  'a run that is killed without a warning',
  () => {
    test.each([[[]], [['--isolate']]])(
      'leaves none of the programs of its steps (%s)',
      async (flags) => {
        // Nobody else on this machine sleeps for just as long.
        const length = 1_000_000 + Math.floor(Math.random() * 1_000_000);
        const command = ['sh', '-c', family(length)];
        writeFileSync(join(root, 'a.json'), JSON.stringify({ actions: [['FA_run_shell', { command, timeout: 300 }]] }));
        const { child, ended } = startSvc(root, ['run', 'a.json', ...flags], { TMPDIR: temporary });
        const sleeping = async (): Promise<number> => (await processesHolding(`sleep\0${length}\0`)).length;
        await until(async () => existsSync(join(root, 'begun')) && (await sleeping()) === 5);
        child.kill('SIGKILL');
        await until(async () => (await processesHolding(String(length))).length === 0);
        await ended;
      },
      60_000,
    );

    test.each([
      ['WR_pw_launch', {}],
      ['WR_pw_launch', { user_data_dir: 'my profile' }],
      ['WR_new_driver', { webdriver_name: 'chromium' }],
    ])(
      'leaves no browser or driver that has begun and does not answer yet (%s %o)',
      async (command, given) => {
        const fake = join(root, 'fake');
        // Of the library's pipe that ends with the run it knows nothing: an ordinary browser may not either, so early.
        writeFileSync(fake, `#!/bin/sh\necho x > "${root}/begun"\nwhile :; do sleep 1; done\n`, { mode: 0o755 });
        const browser = { executable_path: fake, driver_path: fake };
        writeFileSync(join(root, 'svc.config.yaml'), JSON.stringify({ browser }));
        writeFileSync(join(root, 'a.json'), JSON.stringify({ actions: [{ [command]: given }] }));
        const { child, ended } = startSvc(root, ['run', 'a.json'], { TMPDIR: temporary });
        const running = async (): Promise<readonly number[]> =>
          (await processesHolding(`/bin/sh\0${fake}\0`)).map((line) => Number.parseInt(line));
        try {
          await until(async () => existsSync(join(root, 'begun')) && (await running()).length > 0);
          child.kill('SIGKILL');
          await until(async () => (await running()).length === 0);
          await ended;
        } finally {
          for (const pid of await running()) process.kill(pid, 'SIGKILL');
        }
      },
      60_000,
    );

    test('leaves a folder that the next run clears away, and no other', async () => {
      const keep = mkdtempSync(join(temporary, `svc-run-${mark()}`));
      const outside = join(root, 'outside');
      mkdirSync(outside);
      writeFileSync(join(outside, 'precious'), 'x');
      const steps = [
        ['FA_create_file', { file_path: '${run.tmp}/x', content: 'x' }],
        ['FA_run_shell', { command: ['sh', '-c', 'echo > begun; sleep 60'] }],
      ];
      writeFileSync(join(root, 'a.json'), JSON.stringify({ actions: steps }));
      const { child, ended } = startSvc(root, ['run', 'a.json'], { TMPDIR: temporary });
      await until(() => existsSync(join(root, 'begun')));
      const [dead = ''] = runFolders().filter((name) => !keep.endsWith(name));
      expect(existsSync(join(temporary, dead, 'x'))).toBe(true);
      child.kill('SIGKILL');
      await ended;
      symlinkSync(outside, join(temporary, dead, 'link'));
      // A link, and a file, that bear such a name: they are not folders of a run.
      symlinkSync(outside, join(temporary, `${dead}Z`));
      writeFileSync(join(temporary, `${dead}Y`), '');
      mkdirSync(join(temporary, 'svc-run-mine'));
      writeFileSync(join(root, 'b.json'), JSON.stringify({ actions: ['AT_clear_variables'] }));
      expect((await startSvc(root, ['run', 'b.json'], { TMPDIR: temporary }).ended).exit).toBe(0);
      const kept = [`${dead}Y`, `${dead}Z`, keep.slice(temporary.length + 1), 'svc-run-mine'];
      expect(runFolders().toSorted()).toEqual(kept.toSorted());
      expect(readdirSync(outside)).toEqual(['precious']);
    }, 60_000);
  },
);
