import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Builder, By } from 'selenium-webdriver';
import type { WebDriver, WebElement } from 'selenium-webdriver';
import chrome from 'selenium-webdriver/chrome.js';

import { findAndGlance } from '#stdlib/browser/engines/webdriver/find-and-glance.ts';
import { whenReady } from '#stdlib/browser/engines/webdriver/when-ready.ts';

import { lowerQuartile, type Amount, type Figure } from '../figure.ts';
import { measure, type Run } from '../measure.ts';
import { floor, svc } from '../paths.ts';
import { startServer } from '../start-server.ts';

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

type Engine = 'playwright' | 'webdriver';
type Actions = (url: string, times: number) => readonly unknown[];

const open: Readonly<Record<Engine, readonly unknown[]>> = {
  playwright: ['WR_pw_launch', { browser: 'chromium', headless: true, options: { args: flags.slice(1) } }],
  webdriver: ['WR_new_driver', { webdriver_name: 'chrome', options: flags }],
};
const close: Readonly<Record<Engine, readonly unknown[]>> = {
  playwright: ['WR_pw_quit', {}],
  webdriver: ['WR_quit_all', {}],
};

function testObjects(...ids: readonly string[]): readonly unknown[] {
  return ids.map((id) => [
    'WR_save_test_object',
    { test_object_name: id, object_type: 'CSS_SELECTOR', locator: `#${id}` },
  ]);
}

function repeated(times: number, actions: readonly unknown[]): readonly unknown[] {
  return Array.from({ length: times }, () => actions).flat();
}

const flows: Readonly<Record<Engine, Actions>> = {
  playwright: (url, times) =>
    repeated(times, [
      ['WR_pw_to_url', { url: `${url}/form` }],
      ['WR_pw_fill', { selector: '#name', value: 'Ada' }],
      ['WR_pw_fill', { selector: '#count', value: '3' }],
      ['WR_pw_click', { selector: '#send' }],
      ['WR_pw_wait_for_selector', { selector: '#thanks' }],
    ]),
  webdriver: (url, times) => [
    ...testObjects('name', 'send', 'thanks'),
    ...repeated(times, [
      ['WR_to_url', { url: `${url}/form` }],
      ['WR_find_recorded_element', { element_name: 'name' }],
      ['WR_element_input', { input_value: 'Ada' }],
      ['WR_find_recorded_element', { element_name: 'send' }],
      ['WR_element_click', {}],
      ['WR_explicit_wait', { wait_time: 10, condition: { element_present: 'thanks' } }],
    ]),
  ],
};

/** Each of `times` is ten commands. */
const elements: Readonly<Record<Engine, Actions>> = {
  playwright: (url, times) => [
    ['WR_pw_to_url', { url: `${url}/form` }],
    ...repeated(times, [
      ['WR_pw_fill', { selector: '#name', value: 'Ada Lovelace' }],
      ['WR_pw_click', { selector: '#plus' }],
      ['WR_pw_element_inner_text', { selector: '#sum' }],
      ['WR_pw_element_is_visible', { selector: '#sum' }],
      ['WR_pw_fill', { selector: '#name', value: '' }],
      ['WR_pw_click', { selector: '#plus' }],
      ['WR_pw_element_get_attribute', { selector: '#name', name: 'name' }],
      ['WR_pw_hover', { selector: '#send' }],
      ['WR_pw_fill', { selector: '#count', value: '3456' }],
      ['WR_pw_press', { selector: '#count', key: 'End' }],
    ]),
  ],
  webdriver: (url, times) => [
    ['WR_to_url', { url: `${url}/form` }],
    ...testObjects('name', 'plus', 'sum'),
    ...repeated(times, [
      ['WR_find_recorded_element', { element_name: 'name' }],
      ['WR_element_input', { input_value: 'Ada Lovelace' }],
      ['WR_element_get_property', { name: 'value' }],
      ['WR_element_clear', {}],
      ['WR_find_recorded_element', { element_name: 'plus' }],
      ['WR_element_click', {}],
      ['WR_element_is_enabled', {}],
      ['WR_find_recorded_element', { element_name: 'sum' }],
      ['WR_element_is_displayed', {}],
      ['WR_element_get_property', { name: 'textContent' }],
    ]),
  ],
};

function actionFile(folder: string, name: string, engine: Engine, actions: readonly unknown[]): Run {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ actions: [open[engine], ...actions, close[engine]] }));
  return { args: [svc, 'run', file], cwd: folder };
}

function flow(engine: Engine, times: number, aim: number): Figure {
  return {
    name: `form flow in Chromium, ${engine}, ${times === 1 ? 'once' : `${times} times`}`,
    beside: 'the same flow on the bare library',
    aim,
    runs: 5,
    async prepare(folder) {
      const server = await startServer();
      return {
        subject: actionFile(folder, 'flow.json', engine, flows[engine](server.url, times)),
        floor: { args: [floor(`flow-${engine}`), server.url, String(times), ...flags] },
        close: () => server.close(),
      };
    },
  };
}

/**
 * Over WebDriver none of the processor time above the library is in the calls: finding by our script, which looks at
 * the element too, costs what the library's search does. It is the check of the actions, and what a step costs without
 * a browser. In vain: sending the script once a document.
 */
function elementCommands(engine: Engine): Figure {
  return {
    name: `100 element commands on an open page, ${engine}`,
    beside: 'the same calls of the bare library, both without start and end',
    aim: 1.1,
    runs: 5,
    async prepare(folder) {
      const server = await startServer();
      const subject = (times: number): Run =>
        actionFile(folder, `${times}.json`, engine, elements[engine](server.url, times));
      const bare = (times: number): Run => ({
        args: [floor(`elements-${engine}`), server.url, String(times), ...flags],
      });
      // The first ten warm both up.
      return {
        subject: subject(11),
        floor: bare(11),
        without: { subject: subject(1), floor: bare(1) },
        close: () => server.close(),
      };
    },
  };
}

interface Bare {
  readonly driver: WebDriver;
  readonly element: WebElement;
}

/**
 * Time that a command takes by looking at its element first, above the same call of the library: of pairs in turns, the
 * lower quartile of each.
 */
function waitingChecks(
  command: string,
  svcCall: (bare: Bare) => Promise<unknown>,
  libraryCall: (bare: Bare) => Promise<unknown>,
): Amount {
  return {
    name: `waiting checks of ${command}, webdriver`,
    unit: 'ms',
    aim: 5,
    wanted: 'at-most',
    async amount() {
      const server = await startServer();
      const driver = await bareDriver();
      try {
        await driver.get(`${server.url}/form`);
        const bare = { driver, element: await driver.findElement(By.css('#plus')) };
        const [ours, floors]: [number[], number[]] = [[], []];
        for (let round = 0; round < 100; round += 1) {
          floors.push(await timeOf(() => libraryCall(bare)));
          ours.push(await timeOf(() => svcCall(bare)));
        }
        return lowerQuartile(ours) - lowerQuartile(floors);
      } finally {
        await driver.quit();
        server.close();
      }
    },
  };
}

async function bareDriver(): Promise<WebDriver> {
  const options = new chrome.Options();
  options.addArguments(...flags);
  options.setBinaryPath(process.env['CHROME_BIN'] ?? '/usr/bin/chromium');
  const service = new chrome.ServiceBuilder(process.env['CHROMEDRIVER'] ?? '/usr/bin/chromedriver');
  return new Builder().forBrowser('chrome').setChromeOptions(options).setChromeService(service).build();
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await call();
  return performance.now() - begin;
}

const plus = { strategy: 'css', value: '#plus' } as const;

/** An element that was found just now was looked at in the same call. */
const checksOfFound = waitingChecks(
  'a click on an element found just now',
  async ({ driver }) => (await findAndGlance(driver, plus))?.element.click(),
  async ({ driver }) => (await driver.findElement(By.css('#plus'))).click(),
);

/** One that was found before is looked at in a call of its own. */
const checksOfHeld = waitingChecks(
  'a click on an element found before',
  ({ driver, element }) =>
    whenReady(driver, element, ['visible', 'stable', 'enabled', 'reachable'], () => element.click(), {
      name: plus.value,
      known: undefined,
      now: () => performance.now(),
      limitMs: 10_000,
      isLast: false,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      leave: () => undefined,
    }),
  ({ element }) => element.click(),
);

/**
 * Peak memory of 5,000 steps on an open page above that of 1,000; both are the rounds of one loop. After collections
 * the heap holds 140 bytes a step more with Playwright, 30 over WebDriver; the rest of a peak was not collected yet.
 * The bare library of the first grows as much in this loop: by 14 MiB where svc grew by 11.
 */
function longSession(engine: Engine): Amount {
  const steps = elements[engine];
  return {
    name: `memory of 5,000 steps above that of 1,000, ${engine}`,
    unit: 'MiB',
    aim: 10,
    wanted: 'at-most',
    async amount(folder) {
      const server = await startServer();
      const [page, ...rest] = steps(server.url, 1);
      const rounds = (count: number): Run =>
        actionFile(folder, `${count}.json`, engine, [
          page,
          ...rest.slice(0, -10),
          { for_each: { from: 1, to: count }, do: rest.slice(-10) },
        ]);
      try {
        const short = await measure(rounds(100));
        return (await measure(rounds(500))).memory - short.memory;
      } finally {
        server.close();
      }
    },
  };
}

export const figures: readonly (Figure | Amount)[] = [
  flow('playwright', 1, 1.1),
  flow('playwright', 20, 1.05),
  flow('webdriver', 1, 1.1),
  flow('webdriver', 20, 1.05),
  elementCommands('playwright'),
  elementCommands('webdriver'),
  checksOfFound,
  checksOfHeld,
  longSession('playwright'),
  longSession('webdriver'),
];
