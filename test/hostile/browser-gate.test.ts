import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Settings } from '#runtime/kernel/ports.ts';

import { svc } from '../cli/svc.ts';
import { failureOf, session } from '../commands/call.ts';

type Params = Readonly<Record<string, unknown>>;

let root = '';
beforeEach(() => void (root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-hostile-')))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const closed: Settings = { gates: { shell: false, script: true, packages: true, private: true } };
const pwned = (): string => `touch ${join(root, 'pwned')}`;

/**
 * Switches that start a program, load one, lead elsewhere, or that nobody has looked at; and other ways to write them.
 */
const switches: readonly string[] = [
  '--renderer-cmd-prefix=X',
  'renderer-cmd-prefix=X',
  '-renderer-cmd-prefix=X',
  '/renderer-cmd-prefix=X',
  '--gpu-launcher=X',
  '--utility-cmd-prefix=X',
  '--ppapi-plugin-launcher=X',
  '--browser-subprocess-path=X',
  '--load-extension=X',
  '--user-data-dir=X',
  '--disable-extensions-except=X',
  '--remote-debugging-port=9222',
  '--no-zygote',
  '--crash-dumps-dir=X',
  '--log-file=X',
  '--enable-native-messaging',
  '--single-process',
  '--no-sandbox',
  '--js-flags=X',
  '--window-size',
  ' --headless',
  '--Headless',
  '--headless --renderer-cmd-prefix=X',
  'file:///etc/passwd',
  '--password-store=kwallet',
  '-profile',
  '--app=X',
  '-jsdebugger',
].filter((each) => each !== '--window-size');

const experimental: readonly Params[] = [
  { binary: 'X' },
  { args: ['--renderer-cmd-prefix=X'] },
  { args: 'x' },
  { debuggerAddress: '127.0.0.1:9222' },
  { detach: true },
  { extensions: ['AAAA'] },
  { localState: { browser: {} } },
  { excludeSwitches: ['remote-debugging-pipe'] },
  { excludeSwitches: 'x' },
  { androidPackage: 'x' },
  { prefs: { 'download.extensions_to_open': 'sh' } },
  { prefs: { download: { extensions_to_open: 'sh' } } },
  { prefs: { protocol_handler: { excluded_schemes: { x: false } } } },
  { minidumpPath: '/tmp' },
  JSON.parse('{"__proto__": {"binary": "X"}}') as Params,
];

const launches: readonly Params[] = [
  { executable_path: 'X' },
  { executablePath: 'X' },
  { env: { LD_PRELOAD: 'X' } },
  { ignore_default_args: true },
  { ignoreDefaultArgs: ['--x'] },
  { args: ['--renderer-cmd-prefix=X'] },
  { channel: '../../X' },
  { logger: {} },
  { chromium_sandbox: false },
  { record_video: { dir: 'x' } },
  { firefox_user_prefs: { 'browser.link.open_newwindow': 1 } },
  { assistantMode: true },
  { user_data_dir: 'X' },
  { artifactsDir: 'X' },
  { nobody_knows: 1 },
];

const capabilities: readonly Params[] = [
  ...experimental.map((block) => ({ 'goog:chromeOptions': block })),
  { 'ms:edgeOptions': { binary: 'X' } },
  { 'moz:firefoxOptions': { binary: 'X' } },
  { 'moz:firefoxOptions': { args: ['-profile', 'X'] } },
  { 'moz:firefoxOptions': { prefs: { 'helpers.x': 1 } } },
  { 'moz:firefoxOptions': { env: { A: 'b' } } },
  { 'moz:firefoxOptions': { profile: 'AAAA' } },
  { 'se:ieOptions': { 'ie.browserCommandLineSwitches': 'X' } },
  { binary: 'X' },
  { chromeOptions: { binary: 'X' } },
  { alwaysMatch: { 'goog:chromeOptions': { binary: 'X' } } },
  { 'webkitgtk:browserOptions': { binary: 'X' } },
  { 'appium:app': 'X' },
];

const calls: readonly (readonly [string, Params])[] = [
  ...switches.flatMap((each) => [
    ['WR_new_driver', { webdriver_name: 'chromium', options: [each] }] as const,
    ['WR_set_driver', { webdriver_name: 'firefox', options: ['--headless', each] }] as const,
    ['WR_pw_launch', { options: { args: [each] } }] as const,
    ['WR_pw_launch', { browser: 'firefox', options: { args: [each] } }] as const,
  ]),
  ...experimental.map((each) => ['WR_new_driver', { webdriver_name: 'chrome', experimental_options: each }] as const),
  ...launches.map((options) => ['WR_pw_launch', { options }] as const),
  ...capabilities.map(
    (each) => ['WR_start_remote_driver', { hub_url: 'http://127.0.0.1:9', capabilities: each }] as const,
  ),
  ['WR_new_driver', { webdriver_name: 'chrome', extension_paths: ['x'] }],
  ...['/tmp/x', '../x', 'a/../../x', '~/x', 'C:\\x', '\\\\host\\x'].map(
    (user_data_dir) => ['WR_pw_launch', { user_data_dir }] as const,
  ),
];

/** Nothing is there to be started: what comes past the gate fails otherwise. */
const nobody = { PATH: '/nowhere', PLAYWRIGHT_BROWSERS_PATH: '/nowhere' };

async function refusalOf(
  name: string,
  params: Params,
  settings: Settings = closed,
  prepared?: Params,
): Promise<string> {
  const { nodeHost } = await import('#runtime/hosts/node.ts');
  await using unit = await session({ root, settings, host: nodeHost({ cwd: root, env: nobody }) });
  if (prepared) await unit.call('WR_set_webdriver_options_capability', { key_and_vale_dict: prepared });
  const { code, message } = (await failureOf(unit.call(name, params))).facts;
  // A gate that nobody knows would be closed too.
  if (code === 'SVC80024') expect(message).toMatch(/the gate "(?:shell|script|packages|private)"/);
  return code;
}

describe('the gate `shell`, closed, holds what a browser is told', () => {
  test('on both engines, whatever names a program or is not on the closed list', async () => {
    const past: string[] = [];
    for (const [name, params] of calls) {
      const code = await refusalOf(name, JSON.parse(JSON.stringify(params).replaceAll('X', pwned())) as Params);
      if (code !== 'SVC80024') past.push(`${code} ${name} ${JSON.stringify(params)}`);
    }
    expect(calls.length).toBeGreaterThan(150);
    expect(past).toEqual([]);
    expect(existsSync(join(root, 'pwned'))).toBe(false);
  });

  test('in capabilities that an earlier step has prepared', async () => {
    for (const each of capabilities)
      expect(await refusalOf('WR_new_driver', { webdriver_name: 'chrome' }, closed, each)).toBe('SVC80024');
  });

  test('in the configuration, which may come with the same change', async () => {
    for (const browser of [{ executable_path: 'x' }, { driver_path: 'x' }, { args: ['--renderer-cmd-prefix=x'] }])
      for (const [name, params] of [
        ['WR_new_driver', { webdriver_name: 'chrome' }],
        ['WR_pw_launch', {}],
      ] as const)
        expect(await refusalOf(name, params, { ...closed, browser })).toBe('SVC80024');
  });

  test('in a profile that a step, or the change, has filled', async () => {
    mkdirSync(join(root, 'full/NativeMessagingHosts'), { recursive: true });
    mkdirSync(join(root, 'outside'));
    mkdirSync(join(root, 'project/new'), { recursive: true });
    symlinkSync(join(root, 'outside'), join(root, 'project/link'));
    expect(await refusalOf('WR_pw_launch', { user_data_dir: 'full' })).toBe('SVC80024');
    const { nodeHost } = await import('#runtime/hosts/node.ts');
    const project = join(root, 'project');
    await using unit = await session({
      root: project,
      settings: closed,
      host: nodeHost({ cwd: project, env: nobody }),
    });
    for (const user_data_dir of ['link', 'link/below', '.']) {
      expect((await failureOf(unit.call('WR_pw_launch', { user_data_dir }))).facts.code).toBe('SVC80024');
    }
    for (const user_data_dir of ['new', 'not-there/yet']) {
      expect((await failureOf(unit.call('WR_pw_launch', { user_data_dir, browser: 'webkit' }))).facts.code).toBe(
        'SVC81002',
      );
    }
  });

  test('and lets pass what is on the list, and everything where it is open', async () => {
    const harmless: readonly (readonly [string, Params])[] = [
      [
        'WR_new_driver',
        {
          webdriver_name: 'chrome',
          options: ['--window-size=900,700', 'headless', '--lang=de', '--password-store=basic'],
        },
      ],
      [
        'WR_new_driver',
        {
          webdriver_name: 'chrome',
          experimental_options: {
            prefs: { 'intl.accept_languages': 'de', download: { default_directory: '/d' } },
            excludeSwitches: ['enable-automation'],
            mobileEmulation: { deviceName: 'x' },
          },
        },
      ],
      [
        'WR_pw_launch',
        {
          browser: 'webkit',
          options: { slow_mo: 5, args: ['--lang=eo'], viewport: { width: 1, height: 1 }, handleSIGINT: true },
        },
      ],
    ];
    for (const [name, params] of harmless) expect(await refusalOf(name, params)).toMatch(/^SVC8100[23]$/);
    const open: Settings = { gates: { ...closed.gates, shell: true } };
    expect(
      await refusalOf('WR_pw_launch', { browser: 'webkit', options: { executable_path: join(root, 'none') } }, open),
    ).not.toBe('SVC80024');
    expect(
      await refusalOf('WR_new_driver', { webdriver_name: 'chrome', experimental_options: { binary: 'x' } }, open),
    ).toBe('SVC81003');
  });
});

describe('the gate `private`, denied, holds how a browser connects', () => {
  const denied: Settings = { gates: { shell: true, script: true, packages: true, private: false } };

  test('by switches, capabilities and options, and browsers that are not known to keep to one way', async () => {
    const proxies = ['--proxy-server=x', 'no-proxy-server', '-proxy-pac-url=x', '--host-resolver-rules=x'];
    const starts: readonly (readonly [string, Params])[] = [
      ...proxies.flatMap((each) => [
        ['WR_new_driver', { webdriver_name: 'chrome', options: [each] }] as const,
        ['WR_new_driver', { webdriver_name: 'edge', experimental_options: { args: [each] } }] as const,
        ['WR_pw_launch', { options: { args: [each] } }] as const,
      ]),
      ['WR_new_driver', { webdriver_name: 'chrome', experimental_options: { debuggerAddress: '127.0.0.1:9222' } }],
      ['WR_pw_launch', { options: { proxy: { server: 'http://127.0.0.1:9' } } }],
      ['WR_new_driver', { webdriver_name: 'firefox' }],
      ['WR_pw_launch', { browser: 'firefox' }],
      ['WR_pw_launch', { browser: 'webkit' }],
    ];
    for (const [name, params] of starts) expect(await refusalOf(name, params, denied), name).toBe('SVC80024');
    for (const prepared of [
      { proxy: { proxyType: 'direct' } },
      { 'goog:chromeOptions': { args: ['--no-proxy-server'] } },
      { 'goog:chromeOptions': { debuggerAddress: '127.0.0.1:9222' } },
    ])
      expect(await refusalOf('WR_new_driver', { webdriver_name: 'chrome' }, denied, prepared)).toBe('SVC80024');
    expect(await refusalOf('WR_new_driver', { webdriver_name: 'chrome', options: [] }, denied)).toMatch(
      /^SVC8100[23]$/,
    );
  });

  test('and the way to a hub', async () => {
    for (const hub_url of ['http://127.0.0.1:9', 'http://localhost:9', 'http://me:key@10.0.0.1/wd/hub'])
      expect(await refusalOf('WR_start_remote_driver', { hub_url, capabilities: {} }, denied)).toBe('SVC88000');
  });
});

describe('the plan names the gate', () => {
  const gatesOf = async (steps: readonly unknown[]): Promise<string> => {
    writeFileSync(join(root, 'svc.config.yaml'), '{}');
    writeFileSync(join(root, 'a.json'), JSON.stringify({ actions: steps }));
    const { stdout, stderr } = await svc(root, ['plan', 'a.json']);
    expect(stderr).not.toContain('error[');
    return /gates: (.*)/.exec(stdout)?.[1]?.trim() ?? '';
  };

  test('where a literal, or the beginning of a text, shows that a start needs it', async () => {
    expect(
      await gatesOf([['WR_new_driver', { webdriver_name: 'chrome', options: ['--renderer-cmd-prefix=x'] }]]),
    ).toContain('shell');
    expect(
      await gatesOf([['WR_new_driver', { webdriver_name: 'chrome', options: ['--renderer-cmd-prefix=${ENV.X}'] }]]),
    ).toContain('shell');
    expect(await gatesOf([['WR_pw_launch', { options: { executable_path: '${ENV.X}' } }]])).toContain('shell');
    expect(await gatesOf([['WR_pw_launch', { user_data_dir: '../x' }]])).toContain('shell');
    expect(await gatesOf([['WR_set_webdriver_options_capability', { key_and_vale_dict: { binary: 'x' } }]])).toContain(
      'shell',
    );
  });

  test('and not elsewhere', async () => {
    expect(
      await gatesOf([
        ['WR_new_driver', { webdriver_name: 'chrome', options: ['--window-size=1,1', '${ENV.X}', '--lang=${ENV.X}'] }],
      ]),
    ).not.toContain('shell');
    expect(await gatesOf([['WR_pw_launch', { options: { slow_mo: 5 }, user_data_dir: 'profile' }]])).not.toContain(
      'shell',
    );
  });
});
