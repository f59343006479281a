import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';

import type { RunEvent } from '#runtime/kernel/events.ts';
import { html } from '#runtime/reporters/html/html.ts';

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

test('the page opens in a browser without an error, failures first, and its filter works on 10,000 steps', async () => {
  const browser = await chromium.launch({ executablePath: process.env['CHROME_BIN'] ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(pageOf(longRun(10_000)));
    expect(await page.locator('h2').first().textContent()).toBe('Failures');
    expect(await page.locator('#failures .message').first().textContent()).toContain('answered <404>');
    await page.locator('#status').selectOption('flaky');
    await expect.poll(() => page.locator('#found').textContent()).toBe('1 steps');
    await page.locator('#status').selectOption('');
    await page.locator('#find').fill('step 9999');
    await expect.poll(() => page.locator('#found').textContent(), { timeout: 10_000 }).toBe('1 steps');
    expect(await page.locator('.steps > details:visible').count()).toBe(1);
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
}, 60_000);
