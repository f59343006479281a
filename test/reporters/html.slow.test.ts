import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { RunEvent } from '#runtime/kernel/events.ts';
import { html } from '#runtime/reporters/html/html.ts';

import { axeFindings } from '../fixtures/axe.ts';
import { describeInChromium } from '../fixtures/chromium.ts';
import { record, sampleRun, view } from './sample-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-html-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pageOf(events: readonly RunEvent[]): string {
  let text = '';
  const reporter = html({ write: (piece) => void (text += piece), colour: false, live: false, columns: 80 });
  for (const event of events) reporter.event(event);
  const path = join(folder, `${events.length}.html`);
  writeFileSync(path, text);
  return `file://${path}`;
}

function longRun(steps: number): readonly RunEvent[] {
  const [started, , ...rest] = sampleRun();
  const many = Array.from({ length: steps }, (_, index): RunEvent => {
    const step = view(index + 10, { name: `step ${index}` });
    return { kind: 'step-finished', step, record: record(step, { result: { index } }), evidence: [] };
  });
  return started ? [started, ...many, ...rest] : [];
}

/** Steps of 1, 2 and 4 seconds, one after the other, inside a step that holds them. */
function timedRun(): readonly RunEvent[] {
  const holder = view(9);
  const [started, , ...rest] = sampleRun();
  const steps = [1, 2, 4].map((seconds, index): RunEvent => {
    const step = view(index, { name: `step ${index}` });
    const times = { started_at: `2026-01-02T03:04:0${seconds}.000Z`, duration_ms: seconds * 1000, parent: holder.id };
    const status = index === 2 ? 'failed' : 'passed';
    return { kind: 'step-finished', step, record: record(step, { ...times, status }), evidence: [] };
  });
  const end = rest.at(-1);
  const held: RunEvent = {
    kind: 'step-finished',
    step: holder,
    record: record(holder, { duration_ms: 7000 }),
    evidence: [],
  };
  return started && end ? [started, ...steps, held, end] : [];
}

/** A page of parts that open, which are all that it has. */
function plainPage(parts: number): string {
  const text = Array.from(
    { length: parts },
    (_, index) => `<details><summary>step ${index}</summary><pre>${index}</pre></details>`,
  );
  const path = join(folder, 'plain.html');
  writeFileSync(path, `<!doctype html><title>plain</title>${text.join('')}`);
  return `file://${path}`;
}

/** Hides all plain parts but one and waits until that is drawn. */
const hiding = `new Promise((resolve) => {
  [...document.querySelectorAll('details')].slice(1).forEach((each) => { each.hidden = true; });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
})`;

/** Filters for steps that failed and waits until they are drawn. */
const filtering = `new Promise((resolve) => {
  const status = document.getElementById('status');
  status.value = 'failed';
  status.dispatchEvent(new Event('change'));
  requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
})`;

describeInChromium('the page of a run', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env['CHROME_BIN'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    });
  });
  afterAll(() => browser.close());

  async function open(
    events: readonly RunEvent[],
    options: BrowserContextOptions = {},
  ): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width: 1000, height: 800 }, ...options });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!/^(?:file|data):/.test(request.url())) complaints.push(request.url());
    });
    await page.goto(pageOf(events));
    return { page, complaints };
  }

  test('the page opens without an error, failures first, and its filter works on 10,000 steps', async () => {
    const { page, complaints } = await open(longRun(10_000));
    expect(await page.locator('h2').first().textContent()).toBe('Failures');
    expect(await page.locator('#failures .message').first().textContent()).toContain('answered <404>');
    await page.locator('nav a', { hasText: 'Files' }).press('Enter');
    await expect
      .poll(() => page.locator('#files h2').evaluate((part) => part.getBoundingClientRect().top))
      .toBeLessThan(400);
    await page.locator('#status').selectOption('flaky');
    await expect.poll(() => page.locator('#found').textContent(), { timeout: 10_000 }).toBe('1 step');
    expect(await page.locator('#failures > details:visible').count()).toBe(0);
    expect(await page.locator('h2:visible').allTextContents()).toEqual(['Files']);
    expect(await page.locator('nav a:visible').allTextContents()).toEqual(['Files (1)']);
    const failed = await page.locator('.bar .failed').evaluate((part) => part.getBoundingClientRect().width);
    expect(failed).toBeGreaterThanOrEqual(4);
    await page.locator('#status').selectOption('');
    await page.locator('#find').fill('step 9999');
    await expect.poll(() => page.locator('#found').textContent(), { timeout: 10_000 }).toBe('1 step');
    expect(await page.locator('.steps > div > details:visible').count()).toBe(1);
    expect(await page.locator('.steps > div:visible').count()).toBe(1);
    expect(complaints).toEqual([]);
  }, 60_000);

  /** Processor time (s) of the thread that readers wait for, from opening a page to the end of `work` in it. */
  async function busyFor(address: string, work: string): Promise<{ readonly page: Page; readonly seconds: number }> {
    const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    await page.goto(address);
    await page.evaluate(work);
    const { metrics } = await devtools.send('Performance.getMetrics');
    return { page, seconds: metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0 };
  }

  // Beside a page of as many plain parts, since even processor time doubles where a neighbour has the caches.
  test('a page of 10,000 steps is there and filtered sooner than plain parts are', async () => {
    const bare = await busyFor(plainPage(10_000), hiding);
    const { page, seconds } = await busyFor(pageOf(longRun(10_000)), filtering);
    expect(await page.locator('#found').textContent()).toBe('1 step');
    expect(bare.seconds).toBeGreaterThan(0.05);
    expect(seconds / bare.seconds).toBeLessThan(1);
  }, 60_000);

  test('all of it is reached and opened by keys', async () => {
    const { page } = await open(sampleRun());
    const focused = (): Promise<string> => page.evaluate('document.activeElement.id || document.activeElement.tagName');
    const reached: string[] = [];
    for (let presses = 0; presses < 9; presses += 1) {
      await page.keyboard.press('Tab');
      reached.push(await focused());
      if (presses === 7) await page.keyboard.press('Enter');
    }
    expect(reached).toEqual(['status', 'find', 'A', 'A', 'A', 'SUMMARY', 'SUMMARY', 'SUMMARY', 'SUMMARY']);
    expect(await page.locator('#times .lane').isVisible()).toBe(true);
    const file = page.locator('#files details.file').first();
    // A single file is open.
    expect(await file.getAttribute('open')).toBe('');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await page.locator('.steps > div > details').first().getAttribute('open')).toBe('');
  });

  test('who has it read aloud hears what became of each step', async () => {
    const { page } = await open(sampleRun());
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.getByLabel('Show').count()).toBe(1);
    expect(await page.getByLabel('Find').count()).toBe(1);
    const words = await page
      .locator('.steps > div > details > summary > .mark')
      .evaluateAll((marks) => marks.map((mark) => mark.getAttribute('aria-label')));
    expect(words).toEqual(['passed', 'passed', 'flaky', 'failed', 'skipped', 'passed']);
    expect(await page.locator('img:not([alt])').count()).toBe(0);
    expect(await page.locator('.bar').getAttribute('aria-label')).toBe('4 passed (1 flaky), 1 failed, 1 skipped');
  });

  test('its times name the slowest steps, and place each on the line', async () => {
    const { page } = await open(timedRun());
    await page.locator('#times summary').first().click();
    expect(await page.locator('.slow li').allTextContents()).toEqual([
      'step 2 shop/order.yaml:5 · failed 4.0 s',
      'step 1 shop/order.yaml:4 2.0 s',
      'step 0 shop/order.yaml:3 1.0 s',
    ]);
    await page.locator('#times summary').last().click();
    const bars = await page
      .locator('.lane rect')
      .evaluateAll((rects) => rects.map((rect) => ['class', 'x', 'width'].map((name) => rect.getAttribute(name))));
    expect(bars).toEqual([
      ['failed', '428.6', '571.4'],
      ['passed', '142.9', '285.7'],
      ['passed', '0.0', '142.9'],
    ]);
    expect(await page.locator('.lane title').first().textContent()).toBe('step 2: failed, 4.0 s');
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing in %s colours, with everything open',
    async (colorScheme) => {
      const { page } = await open(sampleRun(), { colorScheme });
      await page.locator('details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
      expect(await axeFindings(page)).toEqual([]);
    },
  );

  test.each(['light', 'dark'] as const)('its text can be read in %s colours', async (colorScheme) => {
    const { page } = await open(sampleRun(), { colorScheme });
    const names = ['ink', 'dim', 'failed', 'passed', 'flaky', 'paper', 'soft'];
    const colours = await page.evaluate<Readonly<Record<string, string>>>(
      `Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim().slice(1)]))`,
    );
    const ratios = Object.fromEntries(
      names
        .slice(0, 5)
        .flatMap((name) =>
          ['paper', 'soft'].map((ground) => [
            `${name} on ${ground}`,
            contrast(colours[name] ?? '', colours[ground] ?? ''),
          ]),
        ),
    );
    for (const [pair, ratio] of Object.entries(ratios)) expect(ratio, pair).toBeGreaterThanOrEqual(4.5);
  });

  /** Contrast of two colours in hexadecimal digits, as WCAG 2 computes it. */
  function contrast(one: string, other: string): number {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  function luminance(hex: string): number {
    const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
    const [red = 0, green = 0, blue = 0] = [0, 2, 4]
      .map((at) => Number.parseInt(full.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.039_28 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  test('it fits a small screen', async () => {
    const { page } = await open(sampleRun(), { viewport: { width: 360, height: 640 } });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });

  test('files that failed beside their steps stand among the failures, and a file that ran twice is one', async () => {
    const counts = { passed: 0, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };
    const [started, ...rest] = sampleRun();
    const outcome = rest.at(-1);
    if (!started || outcome?.kind !== 'run-finished') throw new Error('a sample run begins and ends');
    const { page } = await open([
      started,
      {
        kind: 'unit-finished',
        source: 'broken.yaml',
        status: 'failed',
        reason: 'it has errors',
        counts,
        duration_ms: 0,
      },
      ...rest.slice(0, -1),
      {
        ...outcome,
        outcome: {
          ...outcome.outcome,
          files: [
            { file: 'broken.yaml', status: 'failed', reason: 'it has errors', counts, duration_ms: 0 },
            ...outcome.outcome.files,
            ...outcome.outcome.files,
          ],
        },
      },
    ]);
    expect(await page.locator('#failures .file-failure').textContent()).toContain('broken.yaml it has errors');
    expect(await page.locator('#files details.file > summary .name').allTextContents()).toEqual([
      'broken.yaml',
      'shop/order.yaml',
    ]);
  });
});
