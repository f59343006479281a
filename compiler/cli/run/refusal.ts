import { join, resolve } from 'node:path';

import type { Compilation } from '#compiler/api.ts';
import { keepReports } from '#compiler/engine/kept/reports.ts';
import { absentOf } from '#compiler/engine/run/parts.ts';
import { nothing, refusedRun } from '#compiler/engine/run/refused-run.ts';
import { sourcesOf } from '#compiler/engine/sources-of.ts';
import type { Located } from '#compiler/report/locate.ts';
import * as because from '#runtime/kernel/reasons.ts';
import { conduct } from '#runtime/program/execute.ts';
import type { ReportRequest } from '#runtime/program/reports.ts';
import { reporters } from '#runtime/reporters/reporters.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { UnitOutcome } from '#schemas/types/run-event.ts';

import { one } from '../options.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { outputOf, reportsOf, tellReports } from './reports.ts';

/** Files that do not run, because of errors in at least one of them. */
export interface Refusal {
  readonly workspaces: readonly Workspace[];
  readonly compilations: readonly Compilation[];
  readonly located: readonly Located[];
  /** All files, by the names that findings have for them. */
  readonly files: Compilation['files'];
}

/** Number of errors of a file that its reason quotes. */
const QUOTED = 3;

/** Writes what was asked for of a run, though nothing may run: the object of `--json` and the reports. */
export async function tellRefusal(refusal: Refusal, args: ParsedArguments, terminal: Terminal): Promise<void> {
  if (args.options['json']) await printRefusal(refusal, terminal);
  const [only, ...others] = refusal.workspaces;
  const workspace = only && others.length === 0 ? only : await openWorkspace(args, terminal);
  // Asked before the folder of reports is made, which nobody may need.
  if (one(args.options, 'record') !== undefined || written(reportsOf(args, workspace, terminal, '')).length > 0)
    await writeReports(refusal, workspace, args, terminal);
}

/** Reports beyond what people read: they have the findings. */
function written(reports: readonly ReportRequest[]): readonly ReportRequest[] {
  return reports.filter(({ name, file }) => name !== 'human' || file !== undefined);
}

async function writeReports(
  refusal: Refusal,
  workspace: Workspace,
  args: ParsedArguments,
  terminal: Terminal,
): Promise<void> {
  const state = await workspace.state();
  const { host } = workspace;
  const id = host.random.uuid();
  const record = one(args.options, 'record');
  const reports = written(reportsOf(args, workspace, terminal, join(state, 'reports', id)));
  const { outcome } = await conduct(
    {
      begin: (outputs) => refusedRun(id, outcomesOf(refusal), outputs, host),
      reports,
      reporters,
      bounds: [...workspace.bounds, terminal.cwd],
      verbose: args.options['verbose'] === true,
      output: outputOf(terminal, args.options['json'] === true),
      complain: terminal.err,
      // Empty from here on: records of an earlier run would be taken for those of this one.
      ...(record !== undefined && { record: resolve(terminal.cwd, record) }),
    },
    host,
  );
  await keepReports(state, id, reports, workspace.configuration.keepReports);
  tellReports(reports, outcome, terminal);
}

/** Outcome of each file that would have run, and of each with errors. */
function outcomesOf({ compilations, located, files }: Refusal): readonly UnitOutcome[] {
  const names = new Map(files.map(({ path, source }) => [path, source]));
  return compilations.flatMap((compilation) => {
    const absent = new Map(absentOf(compilation).map((outcome) => [outcome.file, outcome]));
    return compilation.files.flatMap(({ source, path, isUsed }): readonly UnitOutcome[] => {
      const file = names.get(path) ?? source;
      const outcome = absent.get(source);
      if (outcome)
        return [{ ...outcome, file, ...(outcome.status === 'failed' && { reason: reasonOf(file, located) }) }];
      const skipped = { status: 'skipped', reason: because.otherErrors, counts: nothing, duration_ms: 0 } as const;
      return isUsed ? [] : [{ file, ...skipped }];
    });
  });
}

function reasonOf(file: string, located: readonly Located[]): string {
  const errors = located.filter(
    ({ diagnostic, primary }) => diagnostic.severity === 'error' && primary.source === file,
  );
  const quoted = errors
    .slice(0, QUOTED)
    .map(
      ({ diagnostic, primary }) =>
        `${primary.start.line}:${primary.start.column} ${diagnostic.code} ${diagnostic.message}`,
    );
  const more = errors.length > QUOTED ? [`and ${errors.length - QUOTED} more`] : [];
  return [because.errors, [...quoted, ...more].join(' ')].filter((part) => part !== '').join(': ');
}

async function printRefusal({ located, files }: Refusal, terminal: Terminal): Promise<void> {
  // How fixes edit files takes the YAML reader: people's output does not wait for it.
  const { findings } = await import('#compiler/report/json.ts');
  const { diagnostics } = findings(located, sourcesOf(files), files.length);
  const refused = { status: 'failed', counts: nothing, duration_ms: 0, files: [], diagnostics };
  terminal.out(`${JSON.stringify(refused, null, 2)}\n`, 'json');
}
