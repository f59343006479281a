import { join, relative, resolve } from 'node:path';

import { catalogue } from '#compiler/catalogue.ts';
import { defaultsIn, type DefaultsOf } from '#compiler/engine/defaults.ts';
import { Reader } from '#compiler/reader.ts';
import { files as disk } from '#runtime/hosts/node/all-files.ts';
import type { Reporter, RunEvent } from '#runtime/kernel/events.ts';
import { conduct } from '#runtime/program/execute.ts';
import { reporters } from '#runtime/reporters/reporters.ts';
import { StoredSnapshots } from '#runtime/reporters/stored-snapshots.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { answer } from '../answer.ts';
import { someActionFiles } from '../inputs.ts';
import { flagsOf } from '#compiler/engine/run/read-request.ts';
import { requestedRun } from '#compiler/engine/run/requested-run.ts';
import { rootOf } from '#compiler/engine/project-root.ts';
import { one } from '../options.ts';
import { listed, listText } from './list.ts';
import { KeptEvidence } from '#compiler/engine/kept/evidence.ts';
import { keepReports } from '#compiler/engine/kept/reports.ts';
import { prepareRun, type PreparedRun } from './prepare.ts';
import { coverageOf, tellCoverage } from './coverage.ts';
import { outputOf, reportsOf, tellReports } from './reports.ts';

/** Reporters that show no evidence and tell where it stands. */
const tellsPaths: ReadonlySet<string> = new Set(['human', 'junit', 'markdown', 'ctrf']);

/** Compiles what is named and runs it, together with programs that were compiled before. */
export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  if (args.positional.length === 0) throw await nothingNamed(terminal);
  const prepared = await prepareRun(args, terminal);
  if (typeof prepared === 'number') return prepared;
  if (!args.options['list']) {
    try {
      return await runPrepared(prepared, args, terminal);
    } finally {
      for (const { release } of prepared.parts) release?.();
    }
  }
  const files = listed(prepared);
  answer(files, () => listText(files), args, terminal);
  return prepared.parts.some(({ absent }) => absent.length > 0) ? 1 : 0;
}

async function runPrepared(
  { workspace, parts, request }: PreparedRun,
  args: ParsedArguments,
  terminal: Terminal,
): Promise<ExitStatus> {
  const state = await workspace.state();
  const { options } = args;
  const id = workspace.host.random.uuid();
  const folder = join(state, 'reports', id);
  const bounds = [...workspace.bounds, terminal.cwd];
  const reports = reportsOf(args, workspace, terminal, folder);
  const record = one(options, 'record');
  const ready = {
    project: workspace,
    parts,
    flags: {
      ...flagsOf(request),
      ...(record !== undefined && { record: resolve(terminal.cwd, record) }),
      evidence: { folder, bounds },
    },
  };
  const coverage = await coverageOf(args, workspace, terminal);
  const kept = new KeptEvidence(folder, { cwd: terminal.cwd, bounds });
  const mayShow = parts.some(({ program }) =>
    Object.keys(program.plan.commands).some((name) => name.startsWith('WR_')),
  );
  const snapshots = options['json'] ? new StoredSnapshots() : undefined;
  const told = (opened: readonly Reporter[] = []): readonly Reporter[] =>
    // People and records are told where the evidence of a failed step is; where nobody shows some, none is taken.
    [
      ...(coverage ? [coverage] : []),
      ...(snapshots ? [{ showsEvidence: false, event: (event: RunEvent) => snapshots.event(event) }] : []),
      ...opened.map((reporter, index) =>
        kept.told(
          reporter,
          reporter.showsEvidence !== false || (mayShow && tellsPaths.has(reports[index]?.name ?? '')),
        ),
      ),
    ];
  const { status, outcome } = await conduct(
    {
      begin: ({ reporters: opened, records }) =>
        requestedRun(id, () => ready, {
          reporters: told(opened),
          ...(records && { records: { ...records, add: (each) => records.add(kept.linked(each)) } }),
        }),
      reports,
      reporters,
      bounds,
      verbose: options['verbose'] === true,
      ...(options['dry-run'] === true && options['all'] !== true && { defaultsOf: await defaultsOfAll(parts) }),
      output: outputOf(terminal, options['json'] === true),
      complain: terminal.err,
      ...(record !== undefined && { record }),
    },
    workspace.host,
  );
  if (!outcome.refused) await keepReports(state, id, reports, workspace.configuration.keepReports, kept.any);
  if (snapshots) terminal.out(`${JSON.stringify(snapshots.in(outcome), null, 2)}\n`, 'json');
  tellReports(reports, outcome, terminal);
  const holds =
    coverage === undefined || outcome.refused !== undefined || (await tellCoverage(coverage, args, terminal));
  return status === 0 && !holds ? 1 : status;
}

/** Defaults of the commands that are called; a dry run leaves out arguments that have them. */
function defaultsOfAll(parts: PreparedRun['parts']): Promise<DefaultsOf> {
  return defaultsIn(
    catalogue,
    parts.flatMap(({ program }) => Object.keys(program.plan.commands)),
  );
}

async function nothingNamed(terminal: Terminal): Promise<Error> {
  const { cwd } = terminal;
  const root = await rootOf('-', cwd, disk);
  const files = await someActionFiles(cwd, 20, { reader: new Reader(disk, { roots: [root] }), files: disk });
  return fail.nothingToRun({
    files: files.length === 0 ? 'none' : files.map((path) => relative(terminal.cwd, path)).join(', '),
  });
}
