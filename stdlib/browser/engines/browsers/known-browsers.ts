import type { Host } from '#schemas/types/host.ts';

/** Name of a browser in action files. `chromium` and `chrome` stand in for each other. */
export type BrowserName = 'chrome' | 'chromium' | 'edge' | 'firefox' | 'safari' | 'ie';

/** Usual places of a browser and its driver. */
export interface KnownBrowser {
  readonly title: string;
  /** Speaks the debugging protocol and takes Chromium's switches. */
  readonly chromium: boolean;
  readonly browserVariable?: string;
  readonly driverVariable?: string;
  /** Names on PATH, best first. Empty: the driver finds its browser by itself. */
  readonly commands: readonly string[];
  readonly drivers: readonly string[];
  /** Usual places beside PATH. */
  readonly places: { readonly [Platform in Host['platform']]?: readonly string[] };
  /**
   * Commands that install the browser, and its driver, with the package manager that is usual there (Linux: Debian's).
   */
  readonly install: Installation;
  readonly pages: Pages;
}

/** Addresses from which the browser and its driver can be had, for systems without such a command. */
export interface Pages {
  readonly browser: string;
  readonly driver: string;
}

type Installation = {
  readonly [Platform in Host['platform']]?: { readonly browser?: string; readonly driver?: string };
};

const chromeCommands = ['google-chrome-stable', 'google-chrome', 'chrome'];
const chromiumCommands = ['chromium', 'chromium-browser'];
const chromePlaces = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:/Program Files/Google/Chrome/Application/chrome.exe',
    'C:/Program Files (x86)/Google/Chrome/Application/chrome.exe',
  ],
};
const chromeFamily = {
  chromium: true,
  browserVariable: 'CHROME_BIN',
  driverVariable: 'CHROMEDRIVER',
  drivers: ['chromedriver'],
  places: chromePlaces,
  install: {
    linux: { browser: 'apt-get install chromium chromium-driver', driver: 'apt-get install chromium chromium-driver' },
    darwin: { browser: 'brew install --cask google-chrome', driver: 'brew install --cask chromedriver' },
    win32: { browser: 'winget install Google.Chrome', driver: 'choco install chromedriver' },
  },
  pages: {
    browser: 'https://www.google.com/chrome/',
    driver: 'https://googlechromelabs.github.io/chrome-for-testing/',
  },
};

export const knownBrowsers: Readonly<Record<BrowserName, KnownBrowser>> = {
  chrome: { ...chromeFamily, title: 'Chrome', commands: [...chromeCommands, ...chromiumCommands] },
  chromium: { ...chromeFamily, title: 'Chromium', commands: [...chromiumCommands, ...chromeCommands] },
  edge: {
    title: 'Edge',
    chromium: true,
    browserVariable: 'EDGE_BIN',
    driverVariable: 'EDGEDRIVER',
    commands: ['microsoft-edge-stable', 'microsoft-edge', 'msedge'],
    drivers: ['msedgedriver'],
    places: {
      darwin: ['/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
      win32: [
        'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
        'C:/Program Files/Microsoft/Edge/Application/msedge.exe',
      ],
    },
    install: {
      darwin: { browser: 'brew install --cask microsoft-edge' },
      win32: { browser: 'winget install Microsoft.Edge', driver: 'choco install selenium-edge-driver' },
    },
    pages: {
      browser: 'https://www.microsoft.com/edge/download',
      driver: 'https://developer.microsoft.com/microsoft-edge/tools/webdriver/',
    },
  },
  firefox: {
    title: 'Firefox',
    chromium: false,
    browserVariable: 'FIREFOX_BIN',
    driverVariable: 'GECKODRIVER',
    commands: ['firefox', 'firefox-esr'],
    drivers: ['geckodriver'],
    places: {
      darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
      win32: ['C:/Program Files/Mozilla Firefox/firefox.exe'],
    },
    install: {
      linux: { browser: 'apt-get install firefox-esr' },
      darwin: { browser: 'brew install --cask firefox', driver: 'brew install geckodriver' },
      win32: { browser: 'winget install Mozilla.Firefox', driver: 'winget install Mozilla.GeckoDriver' },
    },
    pages: {
      browser: 'https://www.mozilla.org/firefox/',
      driver: 'https://github.com/mozilla/geckodriver/releases',
    },
  },
  safari: {
    title: 'Safari',
    chromium: false,
    commands: [],
    drivers: ['safaridriver'],
    places: {},
    install: { darwin: { driver: 'safaridriver --enable' } },
    pages: { browser: 'https://www.apple.com/safari/', driver: 'https://developer.apple.com/documentation/webkit/' },
  },
  ie: {
    title: 'Internet Explorer',
    chromium: false,
    commands: [],
    drivers: ['IEDriverServer'],
    places: {},
    install: {},
    pages: { browser: 'https://www.microsoft.com/', driver: 'https://www.selenium.dev/downloads/' },
  },
};

/** Names on PATH of a release channel (`browser.channel` of the configuration). */
export function commandsOfChannel(channel: string): readonly string[] {
  switch (channel) {
    case 'chrome':
      return chromeCommands;
    case 'chromium':
      return chromiumCommands;
    case 'chrome-beta':
      return ['google-chrome-beta'];
    case 'chrome-dev':
    case 'chrome-canary':
      return ['google-chrome-unstable'];
    case 'msedge':
      return ['microsoft-edge-stable', 'microsoft-edge', 'msedge'];
    case 'msedge-beta':
      return ['microsoft-edge-beta'];
    case 'msedge-dev':
      return ['microsoft-edge-dev'];
    default:
      return [channel];
  }
}
