import { dirname } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';
import { findWeak, readAdvisories, readAudit, readLockFile, severities } from './advisories.ts';
import type { Dependency, Severity, WeakDependency } from './advisories.ts';

type AuditContext = Base & Pick<Ports, 'files' | 'processes'>;

const lockFiles = ['package-lock.json', 'npm-shrinkwrap.json'];
const TIME_LIMIT_MS = 120_000;
const LONGEST_REPORT = 64 * 1024 * 1024;

/** Dependencies of a lock file with known weaknesses: of an advisory file, or as the package manager reports them. */
export async function audit(
  lock: string | null,
  advisoryFile: string | null,
  ctx: AuditContext,
): Promise<WeakDependency[]> {
  const path = lock ?? (await foundLock(ctx));
  const dependencies = readLockFile(await readJson(path, ctx));
  if (!dependencies) throw fail.auditFile({ path, reason: 'it is no lock file of npm' });
  if (advisoryFile === null) return await askManager(path, dependencies, ctx);
  const advisories = readAdvisories(await readJson(advisoryFile, ctx));
  if (!advisories) throw fail.auditFile({ path: advisoryFile, reason: 'an entry has no "id" or no list "affected"' });
  return findWeak(dependencies, advisories);
}

/** Dependencies as severe as the limit, or whose severity nobody says. */
export function above(weak: readonly WeakDependency[], limit: Severity): readonly WeakDependency[] {
  const least = severities.indexOf(limit);
  return weak.filter(({ vulns }) =>
    vulns.some(({ severity }) => severity === null || severities.indexOf(severity) >= least),
  );
}

async function foundLock({ files }: AuditContext): Promise<string> {
  for (const name of lockFiles) if (await files.find(name)) return name;
  throw fail.auditFile({ path: lockFiles[0] ?? '', reason: 'there is no such file' });
}

async function readJson(path: string, { files }: AuditContext): Promise<Json> {
  if (!(await files.find(path))) throw fail.auditFile({ path, reason: 'there is no such file' });
  const parsed = parseJson(new TextDecoder().decode(await files.read(path)));
  if ('error' in parsed) throw fail.auditFile({ path, reason: parsed.error });
  return parsed.json;
}

async function askManager(
  path: string,
  dependencies: readonly Dependency[],
  ctx: AuditContext,
): Promise<WeakDependency[]> {
  ctx.require('shell', 'npm audit');
  const program = ctx.processes.find(['npm', 'npm.exe']);
  if (program === undefined) throw fail.auditProgram({ reason: 'npm is not there' });
  const {
    stdout,
    stderr,
    timed_out: isLate,
  } = await ctx.processes.run(program, ['audit', '--json', '--package-lock-only'], {
    cwd: dirname(path),
    timeout_ms: TIME_LIMIT_MS,
    limit: LONGEST_REPORT,
    signal: ctx.signal,
  });
  if (isLate) throw fail.auditProgram({ reason: `npm took longer than ${TIME_LIMIT_MS / 1000} seconds` });
  const parsed = parseJson(new TextDecoder().decode(stdout));
  const weak = 'json' in parsed ? readAudit(parsed.json, dependencies) : undefined;
  // Its exit status says only that something was found: the report decides.
  if (!weak) throw fail.auditProgram({ reason: lastLine(stderr) || lastLine(stdout) || 'npm reported nothing' });
  return weak;
}

function lastLine(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).trim().split('\n').at(-1)?.slice(0, 200) ?? '';
}
