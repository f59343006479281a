import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RunRecord } from '#schemas/types/record.ts';

import { root } from '../built.ts';
import { hasBrowser } from '../examples/example-files.ts';
import { svc } from './svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-browser-flags-'));
const files = ['examples/quick-start/2-shop-browser.yaml', 'examples/browser/fill-a-form.yaml'] as const;

beforeAll(() => {
  mkdirSync(join(folder, '.git'));
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Time (ms) that each step took which drives the open browser. */
async function durations(file: string, ...flags: readonly string[]): Promise<readonly number[]> {
  const { exit, stderr } = await svc(folder, ['run', file, '--record', 'steps.jsonl', ...flags]);
  expect(exit, stderr).toBe(0);
  const records = readFileSync(join(folder, 'steps.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RunRecord);
  return records.filter(({ command }) => acts.test(command)).map(({ duration_ms: ms }) => ms);
}

/** Commands that make the browser do something, on either engine. */
const acts = /^WR_(?:pw_)?(?:to_url|fill|click|select_option|element_(?:input|click|submit))$/;

if (!hasBrowser) console.warn('--headed and --slow-mo are not tested: install chromium and chromium-driver');

const FAILS = `setup:
- WR_pw_launch
actions:
- WR_pw_to_url: { url: "data:text/html,<h1>Here</h1>" }
- WR_pw_click: { selector: "#nothing" }
  timeout_s: 1
teardown:
- WR_pw_quit
`;

describe.skipIf(!hasBrowser)('svc run of browser steps', () => {
  test.each(files)(
    'waits at every action of %s under --slow-mo',
    async (file) => {
      const taken = await durations(file, '--slow-mo', '250');
      expect(taken.length).toBeGreaterThanOrEqual(3);
      // A lower bound that the wait itself gives, whatever the machine does.
      expect(Math.min(...taken)).toBeGreaterThanOrEqual(240);
    },
    60_000,
  );

  test.each(files)(
    'says that it has no screen for %s under --headed',
    async (file) => {
      const { exit, stdout } = await svc(folder, ['run', file, '--headed'], {
        env: { DISPLAY: '', WAYLAND_DISPLAY: '' },
      });
      expect(exit).toBe(1);
      expect(stdout).toMatch(/error\[SVC8\d{4}\]: .*(?:display|screen|window)/i);
    },
    60_000,
  );

  test('says where the picture of a failed step is, also without a page', async () => {
    writeFileSync(join(folder, 'fails.yaml'), FAILS);
    const { exit, stdout } = await svc(folder, ['run', 'fails.yaml']);
    expect(exit, stdout).toBe(1);
    isKept(stdout);
  }, 60_000);

  function isKept(stdout: string): void {
    const path = / = [\w ]+: (\.svc\/reports\/[0-9a-f]{32}\/(?:file-1\/)?failure-1\/picture\.png)$/m.exec(stdout)?.[1];
    expect(path, stdout).toBeDefined();
    expect(
      readFileSync(join(folder, path ?? ''))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  }

  test.each([
    ['in one process', []],
    ['in a process of its own', ['--isolate']],
  ] as const)(
    'shows a picture of the page where a step failed, %s',
    async (_, more) => {
      writeFileSync(join(folder, 'fails.yaml'), FAILS);
      const { exit, stdout } = await svc(folder, [
        'run',
        'fails.yaml',
        '--reporter',
        'html=page.html',
        '--reporter',
        'human',
        ...more,
      ]);
      expect(exit, stdout).toBe(1);
      expect(readFileSync(join(folder, 'page.html'), 'utf8')).toMatch(
        /<section id="failures">[^]*<img [^>]*src="data:image\/png;base64,iVBOR[A-Za-z0-9+/=]{1000,}"/,
      );
      isKept(stdout);
    },
    60_000,
  );
});
