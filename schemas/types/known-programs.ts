/**
 * Names of the programs that runs start without being told by a step: browsers, their drivers, indexes of files,
 * clients of network shares.
 * The host looks for them before the first step. A program that a step itself names needs the gate `shell`.
 */
export const knownPrograms: readonly string[] = [
  ...['google-chrome-stable', 'google-chrome', 'chrome', 'google-chrome-beta', 'google-chrome-unstable'],
  ...['chromium', 'chromium-browser', 'microsoft-edge-stable', 'microsoft-edge', 'msedge'],
  ...['microsoft-edge-beta', 'microsoft-edge-dev', 'firefox', 'firefox-esr'],
  ...['chromedriver', 'msedgedriver', 'geckodriver', 'safaridriver', 'IEDriverServer'],
  ...['mdfind', 'plocate', 'locate', 'es', 'smbclient'],
];

/** Variables of the environment that name such programs. */
export const programVariables: readonly string[] = [
  ...['CHROME_BIN', 'CHROMEDRIVER', 'EDGE_BIN', 'EDGEDRIVER', 'FIREFOX_BIN', 'GECKODRIVER'],
];
