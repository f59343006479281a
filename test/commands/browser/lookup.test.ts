import { expect, test } from 'vitest';

import type { Settings } from '#runtime/kernel/ports.ts';
import { noPrograms } from '#runtime/hosts/memory.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { FileStat, Host } from '#schemas/types/host.ts';
import { readExtension, readExtensionFolder } from '#stdlib/browser/engines/browsers/extension.ts';
import { findBrowser, findDriver } from '#stdlib/browser/engines/browsers/find-browser.ts';
import { capabilitiesFor } from '#stdlib/browser/engines/webdriver/capabilities.ts';

/** A machine on which just these files are there. */
function machine(there: readonly string[], env: Host['env'] = {}): Host {
  const real = nodeHost();
  const found = {
    kind: 'file',
    size: 1,
    mode: 0o755,
    mtime_ms: 0,
    atime_ms: 0,
    birthtime_ms: 0,
    dev: 0,
    ino: 0,
    nlink: 1,
  } as const;
  const folders = (env['PATH'] ?? '').split(':');
  const onPath = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => folders.map((folder) => `${folder}/${name}`));
  return {
    ...real,
    platform: 'linux',
    env,
    files: { ...real.files, find: (path) => Promise.resolve(there.includes(path) ? found : undefined) },
    processes: { ...noPrograms, find: (names) => onPath(names).find((path) => there.includes(path)) },
  };
}

const gates = {};
const all = ['/conf/chrome', '/env/chrome', '/own/chrome', '/bin/chromium', '/opt/google-chrome'];
const own = (): Promise<string | undefined> => Promise.resolve('/own/chrome');

test('the order is configuration, environment, Playwright, PATH', async () => {
  const settings: Settings = { gates, browser: { executable_path: '/conf/chrome' } };
  const env = { CHROME_BIN: '/env/chrome', PATH: '/bin:/opt' };
  expect(await findBrowser('chrome', { host: machine(all, env), settings }, own)).toBe('/conf/chrome');
  expect(await findBrowser('chrome', { host: machine(all, env), settings: { gates } }, own)).toBe('/env/chrome');
  expect(await findBrowser('chrome', { host: machine(all, { PATH: '/bin:/opt' }), settings: { gates } }, own)).toBe(
    '/own/chrome',
  );
  expect(await findBrowser('chrome', { host: machine(all, { PATH: '/bin:/opt' }), settings: { gates } })).toBe(
    '/opt/google-chrome',
  );
  expect(await findBrowser('chromium', { host: machine(all, { PATH: '/bin:/opt' }), settings: { gates } })).toBe(
    '/bin/chromium',
  );
});

test('what is named and not there is no reason to take another one', async () => {
  const around = { host: machine(['/bin/chromium'], { CHROME_BIN: '/gone', PATH: '/bin' }), settings: { gates } };
  await expect(findBrowser('chromium', around)).rejects.toThrow('No Chromium was found. Looked at: CHROME_BIN=/gone.');
  const configured = {
    host: machine(['/bin/chromium'], { PATH: '/bin' }),
    settings: { gates, browser: { executable_path: '/gone/chromium' } },
  };
  await expect(findBrowser('chromium', configured)).rejects.toThrow('Looked at: /gone/chromium.');
});

test('a failure lists all places', async () => {
  const failure: unknown = await findBrowser(
    'chrome',
    { host: machine([], { PATH: '/bin' }), settings: { gates } },
    () => Promise.resolve(undefined),
  ).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Failure);
  for (const place of ['CHROME_BIN', "Playwright's own", 'google-chrome-stable', 'chromium'])
    expect(String(failure)).toContain(place);
  await expect(findDriver('firefox', { host: machine([], {}), settings: { gates } })).rejects.toThrow(
    'No driver for Firefox was found. Looked at: GECKODRIVER, geckodriver.',
  );
});

test.each([
  ['linux', 'apt-get install chromium chromium-driver'],
  ['darwin', 'brew install --cask'],
  ['win32', 'winget install Google.Chrome'],
] as const)('a failure says how to install it on %s', async (platform, words) => {
  const around = { host: { ...machine([], {}), platform }, settings: { gates } };
  const failure: unknown = await findBrowser('chrome', around).catch((error: unknown) => error);
  expect((failure as Failure).facts.help).toContain(words);
  const driver: unknown = await findDriver('chrome', around).catch((error: unknown) => error);
  expect((driver as Failure).facts.help).toMatch(/Install it: `[^`]+`/);
});

test('where no package has it, the address stands from which it can be had', async () => {
  const around = { host: machine([], {}), settings: { gates } };
  const failures = await Promise.allSettled([findDriver('firefox', around), findBrowser('edge', around)]);
  expect(failures.map((one) => one.status === 'rejected' && (one.reason as Failure).facts.help)).toEqual([
    expect.stringContaining('Install it: https://github.com/mozilla/geckodriver/releases. Or name one'),
    expect.stringContaining('Install it: https://www.microsoft.com/edge/download. Or name one'),
  ]);
});

test('one configured path counts only for browsers that it can belong to', async () => {
  const settings: Settings = { gates, browser: { executable_path: '/conf/chrome', driver_path: '/conf/chromedriver' } };
  const host = machine(['/conf/chrome', '/conf/chromedriver', '/bin/firefox', '/bin/geckodriver'], { PATH: '/bin' });
  expect(await findBrowser('firefox', { host, settings })).toBe('/bin/firefox');
  expect(await findDriver('firefox', { host, settings })).toBe('/bin/geckodriver');
  expect(await findDriver('edge', { host, settings })).toBe('/conf/chromedriver');
});

test('a release channel has names of its own', async () => {
  const host = machine(['/bin/chromium', '/bin/google-chrome-beta'], { PATH: '/bin' });
  expect(await findBrowser('chromium', { host, settings: { gates, browser: { channel: 'chrome-beta' } } }, own)).toBe(
    '/bin/google-chrome-beta',
  );
});

const plain = { switches: [], experimental: undefined, extensions: [], bidi: false, extra: {} };
const chromeOptions = (settings: Settings, options = {}): unknown =>
  capabilitiesFor('chrome', '/bin/chromium', { ...plain, ...options }, { host: machine([]), settings }).capabilities[
    'goog:chromeOptions'
  ];

test('there is no window unless the run asks for one', () => {
  expect(chromeOptions({ gates })).toMatchObject({ args: expect.arrayContaining(['--headless=new']) as string[] });
  expect(chromeOptions({ gates, browser: { headless: false } }, { switches: ['--headless=new'] })).not.toMatchObject({
    args: expect.arrayContaining(['--headless=new']) as string[],
  });
  expect(chromeOptions({ gates }, { switches: ['--headless=old'] })).toMatchObject({
    args: expect.arrayContaining(['--headless=old']) as string[],
  });
});

test('switches come from configuration, options and the call, the later winning', () => {
  const { args } = chromeOptions(
    { gates, browser: { args: ['--lang=de', '--a'] } },
    { switches: ['--lang=eo'], experimental: { args: ['--b'], prefs: { x: 1 } } },
  ) as { args: string[] };
  expect(args.filter((each) => /^--(lang|a|b)/.test(each))).toEqual(['--a', '--b', '--lang=eo']);
});

test('a browser that runs already gets no switches', () => {
  expect(chromeOptions({ gates }, { experimental: { debuggerAddress: '127.0.0.1:9222' } })).toEqual({
    debuggerAddress: '127.0.0.1:9222',
  });
});

test('options of the Chromium family are refused for others', () => {
  for (const name of ['firefox', 'safari', 'ie'] as const) {
    expect(() =>
      capabilitiesFor(name, undefined, { ...plain, experimental: {} }, { host: machine([]), settings: { gates } }),
    ).toThrow('"experimental_options" is not for');
  }
});

test('a browser with switches of its own kind gets them in the words of its driver, and none where there are none', () => {
  const given = (switches: readonly string[]): object =>
    capabilitiesFor('ie', undefined, { ...plain, switches }, { host: machine([]), settings: { gates } }).capabilities;
  expect(given([])).toEqual({ browserName: 'internet explorer' });
  expect(given(['-private', '-k'])).toMatchObject({
    'se:ieOptions': { 'ie.browserCommandLineSwitches': '-private -k', 'ie.forceCreateProcessApi': true },
  });
});

test('an extension is a folder with a manifest, or a packed file where the engine takes those', async () => {
  const kinds = new Map([
    ['/ext', 'directory'],
    ['/ext/manifest.json', 'file'],
    ['/bare', 'directory'],
    ['/a.crx', 'file'],
    ['/false.crx', 'file'],
  ]);
  const contents = new Map([
    ['/a.crx', 'Cr24'],
    ['/false.crx', 'abc'],
  ]);
  const real = nodeHost();
  const find = (path: string) => Promise.resolve(kinds.has(path) ? ({ kind: kinds.get(path) } as FileStat) : undefined);
  const host: Host = {
    ...real,
    cwd: '/',
    files: { ...real.files, find, read: (path) => Promise.resolve(new TextEncoder().encode(contents.get(path))) },
  };
  expect(await readExtensionFolder(host, 'ext')).toBe('/ext');
  expect(await readExtension(host, '/a.crx')).toEqual({ kind: 'packed', path: '/a.crx', base64: 'Q3IyNA==' });
  await expect(readExtension(host, '/false.crx')).rejects.toThrow('the file holds none');
  await expect(readExtensionFolder(host, '/a.crx')).rejects.toThrow('unpacked extensions');
  await expect(readExtension(host, '/bare')).rejects.toThrow('holds no manifest.json');
  await expect(readExtension(host, '/none')).rejects.toThrow('there is nothing at that place');
  await expect(readExtension(host, '/a.crx', ['.xpi'])).rejects.toThrow('ends in .xpi');
});
