import { basename, dirname, join } from 'node:path';

import { files as disk } from '#runtime/hosts/node/all-files.ts';
import { refuseLinks, replaceLink } from '#runtime/program/output.ts';
import { keptName, type ReportRequest } from '#runtime/program/reports.ts';
import { reporterNames } from '#runtime/reporters/names.ts';

import { writeOutput } from '../write-output.ts';

/** The name that always leads to the newest report. */
const LATEST = 'latest';
/** A report is copied and shown up to this many bytes. */
const MOST_BYTES = 256 * 1024 * 1024;

/** A run's id: 32 hexadecimal digits. Other files in the folder are none of ours. */
const runId = /^[0-9a-f]{32}$/;

/** Whether a word may be the id of a run. */
export function isRunId(word: string): boolean {
  return runId.test(word);
}

/**
 * Keeps the reports that a run has written into files: those that stand elsewhere are copied to
 * `<state>/reports/<run>`, and `<state>/reports/latest` leads there from now on. Those of the newest `keep` runs stay,
 * older ones go. Nothing is kept of a run without such reports but its pictures, which stand there already
 * (`pictures`). Never fails: the reports themselves are written.
 */
export async function keepReports(
  state: string,
  run: string,
  reports: readonly ReportRequest[],
  keep: number,
  pictures = false,
): Promise<void> {
  const folder = join(state, 'reports', run);
  const written = reports.flatMap(({ name, file }) => {
    if (file === undefined) return [];
    const own = keptName(name);
    // A report that is a folder stays where it is.
    return own === undefined && dirname(file) !== folder ? [] : [{ own, file }];
  });
  if (written.length === 0) {
    if (pictures) await removeOld(state, run, keep).catch(() => undefined);
    return;
  }
  const home = join(state, 'reports');
  const bounds = [dirname(state)];
  try {
    for (const { own, file } of written) {
      if (own === undefined || dirname(file) === folder) continue;
      const content = await disk.readRegular(file, { limit: MOST_BYTES });
      await writeOutput(join(folder, own), content, bounds);
    }
    await refuseLinks(disk, folder, bounds);
    await replaceLink(disk, join(home, LATEST), folder);
    await removeOld(state, run, keep);
  } catch {
    // A disk that is full, a report that went to a device: who asked for it has it all the same.
  }
}

/**
 * Removes the oldest folders of reports beyond `keep`. Other files stay, and so does what this run has written,
 * whatever the clock says.
 */
async function removeOld(state: string, run: string, keep: number): Promise<void> {
  const others = (await runsWithReports(state)).filter((name) => name !== run);
  for (const name of others.slice(keep - 1)) {
    const folder = join(state, 'reports', name);
    await refuseLinks(disk, folder, [dirname(state)]);
    await disk.removeTree(folder);
  }
}

/** The report of a run, of the newest where none is named: its page, else the first of the others. */
export async function keptReport(state: string, run: string | undefined): Promise<string | undefined> {
  const home = join(state, 'reports');
  const name = run ?? (await latestRun(home));
  if (name === undefined || !runId.test(name)) return undefined;
  for (const reporter of ['html' as const, ...reporterNames]) {
    const file = keptName(reporter);
    if (file === undefined) continue;
    const path = join(home, name, file);
    await refuseLinks(disk, path, [dirname(state)]);
    if ((await disk.find(path))?.kind === 'file') return path;
  }
  return undefined;
}

/** A report as it was written. */
export async function readReport(path: string): Promise<string> {
  return new TextDecoder().decode(await disk.readRegular(path, { limit: MOST_BYTES }));
}

/** The runs of which there are reports, the newest first. */
export async function runsWithReports(state: string): Promise<readonly string[]> {
  const home = join(state, 'reports');
  const entries = await disk.list(home).catch(() => []);
  const folders = entries.filter(({ name, kind }) => kind === 'directory' && runId.test(name));
  const times = await Promise.all(
    folders.map(async ({ name }) => ({ name, time: (await disk.find(join(home, name)))?.mtime_ms ?? 0 })),
  );
  return times.toSorted((a, b) => b.time - a.time).map(({ name }) => name);
}

/** Run that the link names; on a file system without links the folder that was written last. */
async function latestRun(home: string): Promise<string | undefined> {
  const target = await disk.readLink(join(home, LATEST)).catch(() => undefined);
  return target === undefined ? (await runsWithReports(dirname(home)))[0] : basename(target);
}
