import { copyFile, lstat, mkdir, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { keptName, type ReportRequest } from '#runtime/program/reports.ts';

/** The name that always leads to the newest report. */
const LATEST = 'latest';

/** A run's id: 32 hexadecimal digits. What else stands in the folder is none of ours. */
const runId = /^[0-9a-f]{32}$/;

/**
 * Keeps the reports that a run has written into files: those that stand elsewhere are copied to `<state>/reports/<run>`,
 * and `<state>/reports/latest` leads there from now on. Nothing is kept of a run without such reports. Never fails: the
 * reports themselves are written.
 */
export async function keepReports(state: string, run: string, reports: readonly ReportRequest[]): Promise<void> {
  const written = reports.flatMap(({ name, file }) => (file === undefined ? [] : [{ name, file }]));
  if (written.length === 0) return;
  const folder = join(state, 'reports', run);
  try {
    await mkdir(folder, { recursive: true });
    for (const { name, file } of written) {
      if (dirname(file) !== folder) await copyFile(file, join(folder, keptName(name)));
    }
    await lead(join(state, 'reports', LATEST), folder);
  } catch {
    // A disk that is full, a folder that somebody took away: who asked for a report has it all the same.
  }
}

/** Puts a link in place by a rename, so that it leads somewhere at every moment. */
async function lead(link: string, folder: string): Promise<void> {
  const fresh = `${link}.${process.pid}`;
  const isWindows = process.platform === 'win32';
  await symlink(isWindows ? folder : basename(folder), fresh, isWindows ? 'junction' : 'dir');
  // Windows renames no link over another one.
  if (isWindows && (await lstat(link).catch(() => undefined))?.isSymbolicLink()) await rm(link);
  await rename(fresh, link).catch(async (error: unknown) => {
    await rm(fresh, { force: true });
    throw error;
  });
}

/** The folder of a run's reports, of the newest run where none is named; undefined where there is none. */
export async function reportsOfRun(state: string, run: string | undefined): Promise<string | undefined> {
  const home = join(state, 'reports');
  const name = run ?? (await latestRun(home));
  if (name === undefined || !runId.test(name)) return undefined;
  const folder = join(home, name);
  return (await lstat(folder).catch(() => undefined))?.isDirectory() ? folder : undefined;
}

/** The runs of which there are reports, the newest first. */
export async function runsWithReports(state: string): Promise<readonly string[]> {
  const home = join(state, 'reports');
  const names = (await readdir(home).catch(() => [])).filter((name) => runId.test(name));
  const times = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(home, name))).mtimeMs })),
  );
  return times.toSorted((a, b) => b.time - a.time).map(({ name }) => name);
}

/** Where the link leads; on a file system without links the folder that was written last. */
async function latestRun(home: string): Promise<string | undefined> {
  const target = await readlink(join(home, LATEST)).catch(() => undefined);
  return target === undefined ? (await runsWithReports(dirname(home)))[0] : basename(target);
}
