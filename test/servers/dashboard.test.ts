import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { servedCommands } from '#compiler/engine/callers/action-calls.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { ServedJob } from '#runtime/servers/action-calls.ts';
import { openDashboard } from '#runtime/servers/dashboard/server.ts';
import type { ProgressSnapshot } from '#runtime/services/progress/snapshot.ts';

import { chromium, describeInChromium } from '../fixtures/chromium.ts';

const transfer: ProgressSnapshot = {
  name: '<img src=x onerror="document.title = \'broken\'">',
  status: 'running',
  transferred: 50,
  total: 200,
} as ProgressSnapshot;

const job: ServedJob = { kind: 'watch', name: 'in<b>box', of: '/data/in', runs: 3, isFine: false };

/** The page as a browser shows it when its scripts have run. */
async function shown(url: string): Promise<string> {
  const profile = await mkdtemp(join(tmpdir(), 'svc-dashboard-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=1500', '--dump-dom'];
  try {
    return (await promisify(execFile)(chromium.browser, [...flags, `--user-data-dir=${profile}`, url])).stdout;
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

describeInChromium('the dashboard', () => {
  it('fills its parts in a browser, and takes no name for markup', { timeout: 30_000 }, async () => {
    const { lookup, clock } = nodeHost();
    const server = await openDashboard(
      { host: '127.0.0.1', port: 0, allowReachable: false, secret: null },
      {
        lookup,
        clock,
        calls: { commands: servedCommands, transfers: () => [transfer], jobs: () => [job] },
        token: () => 'x'.repeat(40),
      },
    );
    try {
      const page = await shown(`http://127.0.0.1:${server.port}/`);
      expect(page).toContain('<title>svc</title>');
      expect(page).toMatch(/Registry size<\/th><td>\d{3,}<\/td>/);
      expect(page).toContain('50 (25.0 %)');
      expect(page).toContain('&lt;img src=x onerror=');
      expect(page).toContain('<li>FA_copy_file</li>');
      expect(page).toContain('<td>in&lt;b&gt;box</td><td>/data/in</td><td>3</td><td>failed</td>');
      expect(page).not.toContain('does not answer');
    } finally {
      await server.stop();
    }
  });
});
