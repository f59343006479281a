import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { nodeFinding, rootFinding, type Finding } from '#compiler/engine/doctor.ts';

import { svc } from './svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that only says its version. */
function program(name: string, says: string, status = 0): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho '${says}'\nexit ${status}\n`);
  chmodSync(path, 0o755);
  return path;
}

async function findings(
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<{ readonly exit: number; readonly of: (what: string) => Finding | undefined }> {
  const { exit, stdout } = await svc(folder, ['doctor', '--json', ...options], { env });
  const report = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return { exit, of: (what) => report.findings.find((finding) => finding.what === what) };
}

describe('svc doctor', () => {
  beforeEach(() => writeFileSync(join(folder, 'svc.config.yaml'), 'browser: {}\n'));

  test('says where browser and driver are, and in which versions', async () => {
    const env = {
      CHROME_BIN: program('chromium', 'Chromium 120.0.6099.224 built on Debian'),
      CHROMEDRIVER: program('driver', 'ChromeDriver 120.0.1 (abc)'),
    };
    const { exit, of } = await findings(env);
    expect([exit, of('Chromium'), of('ChromeDriver')]).toEqual([
      0,
      { what: 'Chromium', state: 'ok', detail: `120.0.6099.224, ${env.CHROME_BIN}` },
      { what: 'ChromeDriver', state: 'ok', detail: `120.0.1, ${env.CHROMEDRIVER}` },
    ]);
  });

  test('starts no program that the configuration names: it may be a stranger’s', async () => {
    const mark = join(folder, 'started');
    writeFileSync(join(folder, 'chrome.sh'), `#!/bin/sh\ntouch '${mark}'\necho 1.0\n`, { mode: 0o755 });
    writeFileSync(
      join(folder, 'svc.config.yaml'),
      `browser: { executable_path: ${join(folder, 'chrome.sh')}, driver_path: ${join(folder, 'chrome.sh')} }\n`,
    );
    const { of } = await findings({});
    expect(of('Chromium')).toMatchObject({ state: 'ok', detail: expect.stringContaining('not started') as string });
    expect(of('ChromeDriver')).toMatchObject({ state: 'ok', detail: expect.stringContaining('not started') as string });
    expect(existsSync(mark)).toBe(false);
  });

  test('sees that a driver belongs to another browser, and that a program does not run', async () => {
    const { of } = await findings({
      CHROME_BIN: program('chromium', 'Chromium 120.0.1'),
      CHROMEDRIVER: program('driver', 'ChromeDriver 119.0.1'),
    });
    expect(of('ChromeDriver')).toMatchObject({
      state: 'missing',
      meaning: expect.stringContaining('It drives Chromium 119, not 120') as string,
    });
    const broken = await findings({
      CHROME_BIN: program('chromium', 'no display', 1),
      CHROMEDRIVER: program('driver', 'ChromeDriver 119.0.1'),
    });
    expect(broken.of('Chromium')).toMatchObject({
      state: 'missing',
      detail: `${join(folder, 'chromium')} does not run`,
    });
    expect(broken.exit).toBe(0);
  });

  test('says what follows where a browser is missing', async () => {
    const { of, exit } = await findings({ CHROME_BIN: join(folder, 'nothing'), CHROMEDRIVER: join(folder, 'nothing') });
    expect(of('Chromium')).toMatchObject({
      state: 'missing',
      meaning: expect.stringMatching(/^Commands of the browser cannot run\./) as string,
    });
    expect(of('ChromeDriver')).toMatchObject({
      state: 'missing',
      meaning: expect.stringMatching(/^WebDriver commands/) as string,
    });
    expect(exit).toBe(0);
  });

  test('uses the configuration, and tells when that is broken', async () => {
    writeFileSync(
      join(folder, 'svc.config.yaml'),
      `browser: { executable_path: ${JSON.stringify(program('configured', 'Chromium 99.0.1'))} }\n`,
    );
    const env = { CHROMEDRIVER: program('driver', 'ChromeDriver 99.0.1') };
    expect((await findings(env, '--allow', 'shell')).of('Chromium')?.detail).toBe(
      `99.0.1, ${join(folder, 'configured')}`,
    );
    writeFileSync(join(folder, 'svc.config.yaml'), 'browsers: {}\n');
    const { exit, of } = await findings({});
    expect([exit, of('configuration')?.state, of('configuration')?.detail]).toEqual([
      1,
      'broken',
      'The configuration "svc.config.yaml:1:1" cannot be used: "browsers" is no setting.',
    ]);
    const { stdout } = await svc(folder, ['doctor']);
    expect(stdout).toContain('✗ configuration');
  });

  test('knows which Node is too old', () => {
    expect(['v18.20.0', 'v22.18.0', 'v22.19.0', 'v24.0.0'].map((version) => nodeFinding(version).state)).toEqual([
      'broken',
      'broken',
      'ok',
      'ok',
    ]);
  });

  test('sees a working directory that cannot be written', async () => {
    expect((await rootFinding('/proc/self')).state).toBe('missing');
    expect((await rootFinding(folder)).state).toBe('ok');
  });
});
