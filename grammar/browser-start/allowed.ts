/**
 * Command-line switches of browsers that neither name nor load a program, without their dashes. Whatever is not here
 * may.
 */
export const allowedSwitches: ReadonlySet<string> = new Set([
  // Windows, language, looks.
  ...['headless', 'window-size', 'window-position', 'start-maximized', 'start-fullscreen', 'kiosk', 'hide-scrollbars'],
  ...['force-device-scale-factor', 'high-dpi-support', 'force-color-profile', 'force-dark-mode'],
  ...['force-prefers-reduced-motion', 'font-render-hinting', 'lang', 'accept-lang', 'user-agent', 'width', 'height'],
  // Profiles that are thrown away.
  ...['incognito', 'inprivate', 'guest', 'private', 'private-window', 'no-first-run', 'no-default-browser-check'],
  ...['no-remote', 'new-instance', 'safe-mode', 'disable-search-engine-choice-screen', 'disable-default-apps'],
  // Parts that are left out.
  ...['disable-extensions', 'disable-infobars', 'disable-notifications', 'disable-popup-blocking', 'disable-translate'],
  ...['disable-sync', 'disable-component-update', 'disable-background-networking', 'disable-hang-monitor'],
  ...['disable-client-side-phishing-detection', 'disable-prompt-on-repost', 'disable-ipc-flooding-protection'],
  ...[
    'disable-background-timer-throttling',
    'disable-backgrounding-occluded-windows',
    'disable-renderer-backgrounding',
  ],
  ...['disable-component-extensions-with-background-pages', 'disable-domain-reliability', 'disable-field-trial-config'],
  ...['metrics-recording-only', 'deny-permission-prompts', 'mute-audio', 'enable-automation', 'disable-logging'],
  // Drawing and memory.
  ...['disable-gpu', 'disable-dev-shm-usage', 'disable-software-rasterizer', 'disable-accelerated-2d-canvas'],
  ...['enable-unsafe-swiftshader', 'run-all-compositor-stages-before-draw', 'disable-quic', 'disable-http2'],
  // Certificates, proxies, media for tests.
  ...['ignore-certificate-errors', 'allow-insecure-localhost', 'proxy-server', 'proxy-bypass-list', 'no-proxy-server'],
  ...['use-fake-ui-for-media-stream', 'use-fake-device-for-media-stream', 'autoplay-policy', 'touch-events'],
  ...['use-mock-keychain', 'enable-logging', 'log-level', 'v', 'silent-debugger-extension-api'],
]);

/**
 * Keys of `goog:chromeOptions` and its like that start nothing; `args`, `prefs` and `excludeSwitches` are looked into.
 */
export const allowedChromiumOptions: ReadonlySet<string> = new Set([
  'mobileEmulation',
  'perfLoggingPrefs',
  'windowTypes',
  'w3c',
]);

/** Switches of a driver that may be left out. */
export const allowedExclusions: ReadonlySet<string> = new Set([
  'enable-automation',
  'enable-logging',
  'disable-popup-blocking',
]);

/** Keys of `moz:firefoxOptions`; `args` and `prefs` are looked into. */
export const allowedFirefoxOptions: ReadonlySet<string> = new Set(['log']);

/** Capabilities that start nothing. */
export const allowedCapabilities: ReadonlySet<string> = new Set([
  ...['browserName', 'browserVersion', 'platformName', 'acceptInsecureCerts', 'pageLoadStrategy', 'proxy', 'timeouts'],
  ...['setWindowRect', 'strictFileInteractability', 'unhandledPromptBehavior', 'webSocketUrl', 'goog:loggingPrefs'],
  ...[
    'ms:loggingPrefs',
    'webauthn:virtualAuthenticators',
    'se:name',
    'se:recordVideo',
    'se:timeZone',
    'se:screenResolution',
  ],
]);

/** Blocks of hubs: what they name is on the hub. */
export const hubBlocks: ReadonlySet<string> = new Set([
  ...[
    'sauce:options',
    'bstack:options',
    'LT:Options',
    'LT:options',
    'lambda:options',
    'selenoid:options',
    'moon:options',
  ],
  ...['tb:options', 'cbt:options', 'zal:options'],
]);

/**
 * Beginnings of preferences that decide about pages, languages, downloads and permissions. Others may open files with
 * programs, start helpers of protocols or load extensions.
 */
export const allowedPreferences: readonly string[] = [
  ...[
    'profile.default_content_setting_values.',
    'profile.default_content_settings.',
    'profile.password_manager_enabled',
  ],
  ...['profile.managed_default_content_settings.', 'profile.default_content_setting_values', 'intl.accept_languages'],
  ...['profile.password_manager_leak_detection', 'download.default_directory', 'download.prompt_for_download'],
  ...[
    'download.directory_upgrade',
    'safebrowsing.',
    'credentials_enable_service',
    'autofill.',
    'translate.',
    'translate_',
  ],
  ...[
    'plugins.always_open_pdf_externally',
    'savefile.default_directory',
    'printing.default_destination_selection_rules',
  ],
  // Firefox.
  ...['browser.download.dir', 'browser.download.folderList', 'browser.download.useDownloadDir', 'pdfjs.disabled'],
  ...['browser.helperApps.neverAsk.saveToDisk', 'browser.download.manager.showWhenStarting', 'browser.startup.page'],
  ...['browser.startup.homepage', 'dom.webnotifications.enabled', 'dom.push.enabled', 'general.useragent.override'],
  ...[
    'network.proxy.',
    'network.http.',
    'network.cookie.',
    'permissions.default.',
    'media.navigator.',
    'media.autoplay.',
  ],
  ...['geo.', 'layout.', 'ui.', 'privacy.', 'javascript.enabled', 'signon.', 'intl.locale.', 'browser.cache.'],
];

/**
 * Options of Playwright's launch, and of a context with a profile of its own, that start nothing; `args` and the
 * preferences are looked into.
 */
export const allowedLaunchOptions: ReadonlySet<string> = new Set([
  ...['headless', 'slowMo', 'timeout', 'proxy', 'downloadsPath', 'tracesDir', 'handleSIGINT', 'handleSIGTERM'],
  ...['handleSIGHUP', 'acceptDownloads', 'baseURL', 'bypassCSP', 'colorScheme', 'contrast', 'deviceScaleFactor'],
  ...['extraHTTPHeaders', 'forcedColors', 'geolocation', 'hasTouch', 'httpCredentials', 'ignoreHTTPSErrors'],
  ...['isMobile', 'javaScriptEnabled', 'locale', 'offline', 'permissions', 'reducedMotion', 'screen'],
  ...['serviceWorkers', 'strictSelectors', 'timezoneId', 'userAgent', 'viewport'],
]);

/** Release channels: places where an administrator installs browsers. */
export const allowedChannels: ReadonlySet<unknown> = new Set([
  ...['chromium', 'chrome', 'chrome-beta', 'chrome-dev', 'chrome-canary'],
  ...['msedge', 'msedge-beta', 'msedge-dev', 'msedge-canary'],
]);
