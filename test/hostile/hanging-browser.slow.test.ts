import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { test } from 'vitest';

import { startSvc } from '../cli/svc.ts';
import { chromium, describeInChromium } from '../fixtures/chromium.ts';
import { below, isAlive } from '../fixtures/processes-with.ts';
import { turns } from '../fixtures/turns.ts';
import { someOf } from './sampled.ts';

/** A folder for one run, which goes with it. */
function folderOfRun({ browser }: typeof chromium.settings): Disposable & { readonly root: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-hostile-')));
  const limits = { browser_call_ms: 4000, browser_close_ms: 1500 };
  writeFileSync(join(root, 'svc.config.json'), JSON.stringify({ browser, limits }));
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

const page = 'data:text/html,<title>x</title><p id=a>hello';
const wait = ['FA_run_shell', { command: ['sh', '-c', 'echo > begun; while [ ! -e go ]; do sleep 0.05; done'] }];
const bodies = {
  playwright: ['WR_pw_launch', ['WR_pw_to_url', [page]], wait, 'WR_pw_content', ['WR_pw_click', ['#a']]],
  webdriver: [
    ['WR_new_driver', ['chrome']],
    ['WR_to_url', [page]],
    wait,
    ['WR_execute_script', { script: 'return document.title' }],
    'WR_get_window_rect',
  ],
};

const kinds: Readonly<Record<string, (command: string) => boolean>> = {
  renderer: (command) => command.includes('--type=renderer'),
  browser: (command) => /^\S*chrom(?:e|ium|ium-headless-shell) /.test(command) && !command.includes('--type='),
  driver: (command) => /^\S*chromedriver /.test(command),
};

const cases = (Object.keys(bodies) as (keyof typeof bodies)[]).flatMap((engine) =>
  ['renderer', 'browser', ...(engine === 'webdriver' ? ['driver'] : [])].flatMap((kind) =>
    (['SIGKILL', 'SIGSTOP'] as const).flatMap((signal) =>
      ['call', 'timeout_s', 'SIGTERM', 'SIGKILL'].map((ending) => [engine, kind, signal, ending] as const),
    ),
  ),
);

/**
 * A killed browser ends calls by itself: only what hangs is looked at for every way to end. An ordinary run takes some
 * of these.
 */
const chosen = someOf(
  cases.filter(([, , signal, ending]) => signal === 'SIGSTOP' || ending === 'call'),
  10,
  (one) => one.join(' '),
);

/** Runs wait most of their time for what hangs, so that some of them do it at once. */
const turn = turns(4);

describeInChromium('a browser that dies or hangs', () => {
  test.skipIf(process.platform !== 'linux').concurrent.for(chosen)(
    '%s: %s by %s, ended by %s: the run ends, and nothing is left',
    { timeout: 180_000 },
    ([engine, kind, signal, ending], { expect }) =>
      turn(async () => {
        // The whole browser has more processes than its shell: calls see each of them die and hang.
        using folder = folderOfRun(ending === 'call' ? chromium.settings : chromium.pages);
        const { root } = folder;
        // A busy machine takes ten seconds to open a browser, and the limit counts from the beginning of the run.
        const meta = ending === 'timeout_s' ? { timeout_s: 20 } : {};
        writeFileSync(
          join(root, 'a.json'),
          JSON.stringify({
            meta,
            actions: bodies[engine],
            teardown: [['FA_create_file', { file_path: 'torn', content: 'x' }]],
          }),
        );
        const { child, ended } = startSvc(root, ['run', 'a.json', '--record', 'r.jsonl'], { TMPDIR: root });
        while (!existsSync(join(root, 'begun')) && child.exitCode === null) await sleep(50);
        expect(child.exitCode).toBeNull();
        const family = below(child.pid ?? 0);
        const targets = family.filter(({ command }) => kinds[kind]?.(command));
        expect(targets).not.toEqual([]);
        for (const { pid } of targets) process.kill(pid, signal);
        writeFileSync(join(root, 'go'), '');
        const begin = performance.now();
        if (ending.startsWith('SIG')) {
          // The call that hangs is at work by then.
          await sleep(1000);
          child.kill(ending as NodeJS.Signals);
        }
        const { exit } = await ended;
        // Calls have 4 s, a time limit 20; then evidence is tried for 5 s, the browser closed, and what is left killed.
        expect(performance.now() - begin).toBeLessThan(60_000);
        if (ending === 'SIGKILL') expect(exit).toBe(-1);
        else expect([exit, existsSync(join(root, 'torn'))]).toEqual([ending === 'SIGTERM' ? 143 : 1, true]);
        await expect
          .poll(() => family.filter(isAlive).map(({ command }) => command), {
            timeout: 8000,
          })
          .toEqual([]);
      }),
  );
});

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
