import { createRequire } from 'node:module';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { firefox } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { nodeFinding, packageFindings, rootFinding, type Finding } from '#compiler/engine/doctor.ts';

import { startSvc, svc } from './svc.ts';

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

  test('tells of Firefox and its driver, and how to get them', async () => {
    const env = { FIREFOX_BIN: program('firefox', 'Mozilla Firefox 140.0esr'), GECKODRIVER: join(folder, 'nothing') };
    const { of } = await findings(env);
    expect(of('Firefox')).toEqual({ what: 'Firefox', state: 'ok', detail: `140.0, ${env.FIREFOX_BIN}` });
    expect(of('geckodriver')).toMatchObject({
      state: 'missing',
      meaning: expect.stringMatching(/BiDi alone.*https:\/\/github.com\/mozilla\/geckodriver/) as string,
    });
    const none = await findings({
      FIREFOX_BIN: join(folder, 'nothing'),
      GECKODRIVER: program('gecko', 'geckodriver 0.36.0'),
    });
    expect(none.of('Firefox')?.meaning).toContain('Debian: firefox-esr');
    expect(none.of('geckodriver')?.detail).toContain('0.36.0');
  });

  test('tells of the browsers that Playwright has installed', async () => {
    const builds = join(folder, 'builds');
    // The library reads the place of its browsers when it is loaded.
    const told = async (): Promise<Finding | undefined> => {
      const { stdout } = await startSvc(folder, ['doctor', '--json'], { PLAYWRIGHT_BROWSERS_PATH: builds }).ended;
      const { findings: all } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
      return all.find(({ what }) => what === 'browsers of Playwright');
    };
    expect(await told()).toMatchObject({
      state: 'missing',
      meaning: expect.stringContaining('playwright-core install') as string,
    });
    const build = /[^/]+-\d+\/.*$/.exec(firefox.executablePath())?.[0] ?? '';
    mkdirSync(dirname(join(builds, build)), { recursive: true });
    writeFileSync(join(builds, build), '');
    expect(await told()).toMatchObject({ state: 'ok', detail: `firefox ${join(builds, build)}` });
  });

  test('sees packages that export their description to nobody, and names the commands that need one', async () => {
    const { of } = await findings({});
    // A package of the kind, which the tests have.
    expect(() => createRequire(import.meta.url)('@opentelemetry/api/package.json')).toThrow('not defined by "exports"');
    expect(of('@opentelemetry/api')).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^\d/) as string });
    expect(of('graphql')?.state).toBe('ok');
    const missing = await packageFindings([folder]);
    const meaningOf = (name: string): string | undefined => missing.find(({ what }) => what === name)?.meaning;
    expect(meaningOf('graphql')).toBe('Needed by AT_test_api_method_graphql. Install it: npm install graphql');
    expect(meaningOf('playwright-core')).toMatch(/^Needed by WR_\w+, WR_\w+, WR_\w+ and \d+ others\. /);
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
