import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { commandLine } from '../../built.ts';
import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { ownTemporary } from '../../fixtures/own-temporary.ts';
import { below, isAlive, processesWith } from '../../fixtures/processes-with.ts';
import { turns } from '../../fixtures/turns.ts';
import { session, type Session } from '../call.ts';

/** Ends in one run. */
const COUNT = process.env['SVC_TEST_FULL'] ? 500 : 50;
/** Browsers that end at once. */
const turn = turns(3);
/** Memory (MB) of scripts of a page, so that one runs out of it soon. */
const heapMb = 24;

interface Opened {
  readonly unit: Session;
  readonly engine: 'webdriver' | 'playwright';
  readonly mark: string;
}

/** Ways in which the work with a browser ends; whatever they do, the end of the unit follows. */
const endings: Readonly<Record<string, (opened: Opened) => unknown>> = {
  'in order': (opened) => goTo(opened, 'data:text/html,<p>x'),
  'by a failed step': ({ unit, engine }) =>
    engine === 'webdriver'
      ? unit.step('WR_find_element', { element_name: 'nobody' })
      : unit.step('WR_pw_click', { selector: '##' }),
  'by a time limit': ({ unit, engine }) =>
    engine === 'webdriver'
      ? unit.step('WR_execute_script', { script: 'for (;;);' }, { timeout_s: 0.3 })
      : unit.step('WR_pw_evaluate', { expression: '(() => { for (;;); })()' }, { timeout_s: 0.3 }),
  'by an interrupt': async (opened) => {
    const { unit, engine } = opened;
    const working = unit.step(engine === 'webdriver' ? 'WR_explicit_wait' : 'WR_pw_wait_for_timeout', {
      ...(engine === 'webdriver' ? { wait_time: 30, condition: { title_is: 'never' } } : { timeout_ms: 30_000 }),
    });
    unit.stop('interrupted');
    return working;
  },
  'by the death of the browser': ({ mark }) => kill(mark, 'chromium'),
  'by the death of the driver': ({ mark, engine }) => kill(mark, engine === 'webdriver' ? 'chromedriver' : 'chromium'),
  'by a crash of the page': (opened) => goTo(opened, 'chrome://crash'),
  'by a page without memory': ({ unit, engine }) => {
    const script = 'for (const all = []; ;) all.push(new Array(1e5).fill(all.length + 0.5))';
    return engine === 'webdriver'
      ? unit.step('WR_execute_script', { script }, { timeout_s: 5 })
      : unit.step('WR_pw_evaluate', { expression: `(() => { ${script} })()` }, { timeout_s: 5 });
  },
};

function goTo({ unit, engine }: Opened, url: string): Promise<unknown> {
  return unit.step(engine === 'webdriver' ? 'WR_to_url' : 'WR_pw_to_url', { url }, { timeout_s: 5 });
}

function kill(mark: string, name: string): void {
  const own = processesWith(mark).filter((each) => each.name.startsWith(name));
  expect(own.length).toBeGreaterThan(0);
  for (const { pid } of own) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // One of its own ended with the first.
    }
  }
}

/** Signals that end `svc` itself while a browser is open. */
const signals = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;

/** Steps that open a browser and then wait for longer than any test. */
const waiting = {
  webdriver: [
    { WR_new_driver: { webdriver_name: 'chromium' } },
    { WR_explicit_wait: { wait_time: 120, condition: { title_is: 'never' } } },
  ],
  playwright: [{ WR_pw_launch: {} }, { WR_pw_wait_for_timeout: { timeout_ms: 120_000 } }],
};

const ways = [...Object.keys(endings), ...signals];

/** Ways with how often each is gone: together as often as is asked for. */
function shares<Way extends string>(own: readonly Way[]): readonly (readonly [way: Way, times: number])[] {
  const each = Math.floor(COUNT / ways.length);
  return own.map((way) => [way, each + (ways.indexOf(way) < COUNT % ways.length ? 1 : 0)]);
}

const onLinux = test.skipIf(process.platform !== 'linux').concurrent;
const timeout = COUNT * 10_000;

describeInChromium('no process of a browser remains', () => {
  ownTemporary();

  onLinux.for(shares(Object.keys(endings)))(
    'after work that ended %s, %i times',
    { timeout },
    async ([name, times], { expect }) => {
      const { nodeHost } = await import('#runtime/hosts/node.ts');
      const ends = async (engine: Opened['engine'], { browser }: typeof chromium.settings): Promise<void> => {
        const mark = randomUUID();
        const args = [...chromium.switches, `--js-flags=--max-old-space-size=${heapMb}`];
        const unit = await session({
          settings: { browser: { ...browser, args }, limits: { browser_close_ms: 1500 } },
          host: { ...nodeHost(), env: { ...process.env, SVC_TEST_MARK: mark } },
        });
        if (engine === 'webdriver') await unit.call('WR_new_driver', { webdriver_name: 'chromium' });
        else await unit.call('WR_pw_launch', { options: { env: { ...process.env, SVC_TEST_MARK: mark } } });
        // Processes that the shell starts do not show their environment: they are known by those above them.
        const family = processesWith(mark).flatMap(({ pid }) => below(pid));
        expect(family.length).toBeGreaterThan(2);
        await endings[name]?.({ unit, engine, mark });
        await unit.end().catch(() => undefined);
        const left = (): readonly unknown[] => [...processesWith(mark), ...family.filter(isAlive)];
        await expect.poll(left, { timeout: 10_000, interval: 100 }).toEqual([]);
      };
      // The whole browser has more processes than its shell: each way ends it once, one engine here, the other there.
      const first = ways.indexOf(name) % 2;
      for (let count = 0; count < times; count++) {
        const settings = count === 0 ? chromium.settings : chromium.pages;
        await turn(() => ends(count % 2 === first ? 'playwright' : 'webdriver', settings));
      }
    },
  );

  onLinux.for(shares(signals))('after %s to svc, %i times', { timeout }, async ([signal, times], { expect }) => {
    const folder = await mkdtemp(join(tmpdir(), 'ends-'));
    await writeFile(join(folder, 'svc.config.yaml'), JSON.stringify({ browser: chromium.pages.browser }));
    const ends = async (engine: Opened['engine']): Promise<void> => {
      const mark = randomUUID();
      const file = join(folder, `${engine}.json`);
      await writeFile(file, JSON.stringify({ actions: waiting[engine] }));
      const child = spawn(process.execPath, [...commandLine, 'run', file], {
        cwd: folder,
        env: { ...process.env, SVC_TEST_MARK: mark },
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const isOpen = (): boolean => below(child.pid ?? 0).some(({ command }) => command.includes('--type=renderer'));
      await expect.poll(isOpen, { timeout: 240_000, interval: 100 }).toBe(true);
      const family = below(child.pid ?? 0);
      child.kill(signal);
      await ended;
      const left = (): readonly unknown[] => [...processesWith(mark), ...family.filter(isAlive)];
      await expect.poll(left, { timeout: 10_000, interval: 100 }).toEqual([]);
    };
    for (let count = 0; count < times; count++) await turn(() => ends(count % 2 === 0 ? 'playwright' : 'webdriver'));
  });
});
