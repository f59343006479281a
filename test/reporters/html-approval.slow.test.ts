import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { chromium as library, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { commandLine } from '../built.ts';
import { svc } from '../cli/svc.ts';
import { axeFindings } from '../fixtures/axe.ts';
import { chromium, describeInChromium } from '../fixtures/chromium.ts';

const run = promisify(execFile);
const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-approval-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A name that shells would read as several words, and another as the end of a text. */
const file = "Ada's shop.json";
const other = 'other.json';

/** Two pages with a box of a colour each, compared with their baselines. */
function paint(name: string, colour: string): void {
  const page = (place: number): string =>
    `data:text/html,<body style="margin:0"><p style="margin:${place}px;width:60px;height:40px;background:${colour}">`;
  const comparing = (place: number): readonly unknown[] => [
    ['WR_to_url', { url: page(place) }],
    ['WR_visual_compare', { baseline_path: `${name}-${place}.png`, must_match: true }],
  ];
  const options = ['--window-size=300,200'];
  const actions = [['WR_new_driver', { webdriver_name: 'chromium', options }], ...comparing(0), ...comparing(20)];
  writeFileSync(join(root, name), JSON.stringify({ meta: { on_failure: 'continue' }, actions }));
}

/** Runs a command line as a person does who pastes it; `svc` is the one under test. */
async function inShell(command: string): Promise<string> {
  const words = [process.execPath, ...commandLine].map((word) => `'${word}'`).join(' ');
  const { stdout } = await run('sh', ['-c', `svc() { ${words} "$@"; }; ${command}`], { cwd: root });
  return stdout;
}

describeInChromium('the page for pictures to approve', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    mkdirSync(join(root, '.git'));
    writeFileSync(join(root, 'svc.config.json'), JSON.stringify({ browser: chromium.pages.browser }));
    for (const name of [file, other]) paint(name, 'red');
    const stored = await svc(root, ['run', file, other, '--update-snapshots']);
    expect(stored.exit, stored.stdout).toBe(0);
    for (const name of [file, other]) paint(name, 'blue');
    expect((await svc(root, ['run', file, other, '--reporter', 'html=page.html'])).exit).toBe(1);
    browser = await library.launch({ executablePath: chromium.browser, args: ['--no-sandbox', '--disable-gpu'] });
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    page = await context.newPage();
    await page.goto(`file://${join(root, 'page.html')}`);
  });
  afterAll(() => browser.close());

  const articles = (): ReturnType<Page['locator']> => page.locator('#pictures article');

  test('shows what was, what is and what differs', async () => {
    expect(await articles().count()).toBe(4);
    await page.getByRole('link', { name: 'Pictures to approve (4)' }).click();
    const images = articles().first().locator('img');
    const names = await images.evaluateAll((all) => all.map((image) => image.getAttribute('alt')));
    expect(names).toEqual(['Picture: baseline', 'Picture: current', 'Picture: difference']);
    const widths = `[...document.querySelector('#pictures article').querySelectorAll('img')].map((image) => image.naturalWidth)`;
    await expect
      .poll(() => page.evaluate<readonly number[]>(widths).then((all) => Math.min(...all)))
      .toBeGreaterThan(100);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('is filtered with the rest', async () => {
    await page.locator('#find').fill(other);
    await expect.poll(() => page.locator('#pictures article:visible').count()).toBe(2);
    await page.locator('#find').fill('no such step');
    await expect.poll(() => page.getByRole('link', { name: /^Pictures to approve/ }).isVisible()).toBe(false);
    await page.locator('#find').fill('');
    await expect.poll(() => page.locator('#pictures article:visible').count()).toBe(4);
  });

  test('copies the command that it shows where the clipboard is closed to it, too', async () => {
    const last = articles().last();
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })");
    await last.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => last.getByRole('button').textContent()).toBe('Copied');
    await page.evaluate('delete navigator.clipboard');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`svc run ${other} --update-snapshots`);
  });

  test('copies a command that makes the pictures of its file the baselines, and no others', async () => {
    const first = articles().first();
    const shown = await first.locator('code').textContent();
    await first.getByRole('button', { name: 'Copy' }).press('Enter');
    await expect.poll(() => first.getByRole('button').textContent()).toBe('Copied');
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toBe(shown);
    const untouched = readFileSync(join(root, `${other}-0.png`));
    expect(await inShell(copied)).toContain('snapshots stored: 2 updated');
    expect(readFileSync(join(root, `${other}-0.png`)).equals(untouched)).toBe(true);
    expect((await svc(root, ['run', file])).exit).toBe(0);
    expect((await svc(root, ['run', other])).exit).toBe(1);
  });
});
