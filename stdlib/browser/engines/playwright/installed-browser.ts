import { access } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { BrowserType } from 'playwright-core';

import { programChanged } from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

/**
 * The browser that Playwright has installed for itself: where it would stand, and whether it does. Its files stand in a
 * folder that the user may write: fails where any of them was written since the run began.
 */
export async function installedBrowser(
  type: BrowserType,
  host: Host,
): Promise<{ readonly path: string | undefined; readonly isThere: boolean }> {
  const path = executablePath(type);
  if (path === undefined || !(await isThere(path))) return { path, isThere: false };
  const changed = host.processes.changedBelow(folderOf(path));
  if (changed !== undefined) throw programChanged({ path: changed });
  return { path, isThere: true };
}

function executablePath(type: BrowserType): string | undefined {
  try {
    return type.executablePath();
  } catch {
    return undefined;
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The folder of one version (`chromium-1200`), below which all of it stands. */
function folderOf(path: string): string {
  return /^.*?[/\\][a-z_]+-\d+(?=[/\\])/.exec(path)?.[0] ?? dirname(path);
}

/** Browsers that Playwright has installed for itself, by name; none where its package is missing. */
export async function installedBrowsers(): Promise<ReadonlyMap<string, string>> {
  const library = await import('playwright-core').catch(() => undefined);
  const found = new Map<string, string>();
  for (const type of library ? [library.chromium, library.firefox, library.webkit] : []) {
    const path = executablePath(type);
    if (path !== undefined && (await isThere(path))) found.set(type.name(), path);
  }
  return found;
}
