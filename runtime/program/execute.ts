import { resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import { shortened } from '#schemas/types/message-text.ts';
import type { Host } from '#schemas/types/host.ts';

import type { ReporterTarget, RunOutcome } from '../kernel/events.ts';
import type { RunOptions } from '../kernel/options.ts';
import type { Program } from '../kernel/program.ts';
import { start, type Run } from '../kernel/run.ts';
import { folderOf } from '../kernel/units/world.ts';
import type { HumanOptions } from '../reporters/human.ts';
import type { Reporters } from '../reporters/names.ts';

import type { ProgramArguments } from './arguments.ts';
import { requireEnvironment } from './environments.ts';
import { guardExit } from './foreign-exit.ts';
import { refuseLinks, type Bounds } from './output.ts';
import { reasonOf } from './reason.ts';
import { openRecordFile } from './record-file.ts';
import type { ReportRequest } from './reports.ts';
import { openReporter, readReportRequest, saidLines, withHuman } from './reports.ts';
import type { Interrupt } from './signals.ts';
import { onInterrupt } from './signals.ts';
import { standardError, standardOutput } from './standard-streams.ts';

/** The exit status of a program. */
export type ProgramStatus = 0 | 1 | 2 | 70 | 129 | 130 | 143;

/** Runs a compiled program as its arguments ask. Fails, before anything has run, for wrong use. */
export async function execute(
  program: Program,
  args: ProgramArguments,
  reporters: Reporters,
  host: Host,
): Promise<ProgramStatus> {
  const reports = reportRequests(args);
  if (!import.meta.withoutEnvironment && args.env !== undefined) {
    const root = resolve(host.cwd, args.root ?? '.');
    const folders = program.plan.units.map(({ file, source }) => folderOf(file ?? source, root));
    await requireEnvironment(args.env, [root, ...folders], host.files);
  }
  const begin: Conduct['begin'] = (reporting) => start(program, { ...optionsOf(args, host), ...reporting }, host);
  const { status } = await conduct(
    {
      begin,
      reports,
      reporters,
      bounds: boundsOf(args, host),
      verbose: false,
      ...(args.record !== undefined && { record: args.record }),
    },
    host,
  );
  return status;
}

/** A run with what it writes. */
export interface Conduct {
  readonly begin: (reporting: Pick<RunOptions, 'reporters' | 'records'>) => Run;
  readonly reports: readonly ReportRequest[];
  readonly reporters: Reporters;
  readonly record?: string;
  /** Folders below which nothing is written through a link. */
  readonly bounds: Bounds;
  readonly verbose: boolean;
  /** Defaults of a command's parameters, which a dry run leaves out. */
  readonly defaultsOf?: HumanOptions['defaultsOf'];
  /** Target in place of standard output. */
  readonly output?: ReporterTarget;
  /** Writes the reason why nothing ran, in place of standard error. */
  readonly complain?: (text: string) => void;
}

function toStandardError(text: string): void {
  standardError.write(text);
}

/** Runs to the end: reports and records are written on every path, an interrupt ends the run in order. */
export async function conduct(
  { begin, reports, reporters, record, bounds, verbose, defaultsOf, output, complain = toStandardError }: Conduct,
  host: Pick<Host, 'cwd' | 'env' | 'files'>,
): Promise<{ readonly status: ProgramStatus; readonly outcome: RunOutcome }> {
  const { cwd, files } = host;
  if (record !== undefined) await refuseLinks(files, resolve(cwd, record), bounds);
  const records = record === undefined ? undefined : openRecordFile(resolve(cwd, record));
  const opened = await Promise.all(
    reports.map((request) =>
      openReporter(request, {
        reporters,
        cwd,
        files,
        ...(!import.meta.withoutStepSummary && { env: host.env }),
        bounds,
        verbose,
        ...(!import.meta.withoutVerbose && defaultsOf && { defaultsOf }),
        ...(output && { output }),
      }),
    ),
  );
  const told = import.meta.withoutLines ? opened : [...opened, saidLines(reports, output)];
  const run = begin({ reporters: told, ...(records && { records }) });
  let interrupt: Interrupt | undefined;
  const stopListening = onInterrupt((caught) => {
    interrupt = caught;
    run.stop(caught.signal);
  });
  let lost: NodeJS.ErrnoException | undefined;
  const stopHearing = standardOutput.whenBroken((error) => {
    lost ??= error;
    // Nobody reads any more: the run ends in order.
    if (error.code === 'EPIPE') run.stop('standard output was closed');
  });
  const releaseExit = guardExit({ stop: (reason) => run.stop(reason), flush: () => records?.flush(), complain });
  const ended = async (): Promise<void> => {
    releaseExit();
    stopListening();
    await new Promise<void>((done) => standardOutput.whenWritten(done));
    stopHearing();
    // The kernel closes it; after a bug of ours there is still what steps have done.
    records?.flush();
  };
  let outcome: RunOutcome;
  try {
    outcome = await run.outcome;
  } finally {
    await ended();
  }
  for (const { message, code = '', help, place } of outcome.refused ?? [])
    complain(
      `error[${code}]: ${message}\n${
        import.meta.withoutVariables || !place ? '' : `  --> ${place.file}:${place.line}:${place.column}\n`
      }${help === undefined ? '' : `  = ${help}\n`}`,
    );
  if (lost && lost.code !== 'EPIPE')
    throw fail.outputNotWritten({ path: 'standard output', reason: reasonOf(lost), cause: lost });
  return { outcome, status: interrupt?.status ?? (outcome.refused ? 2 : outcome.status === 'passed' ? 0 : 1) };
}

function boundsOf(args: ProgramArguments, { cwd }: Host): Bounds {
  return [cwd, resolve(cwd, args.root ?? '.')];
}

function optionsOf(args: ProgramArguments, host: Host): RunOptions {
  return {
    root: resolve(host.cwd, args.root ?? '.'),
    variables: args.variables,
    environment: {
      ...(args.env !== undefined && { name: args.env }),
      ...(args.dotenv !== undefined && { file: args.dotenv }),
    },
    settings: { gates: args.gates },
    dryRun: args.dryRun,
    failFast: args.failFast,
    ...(args.seed !== undefined && { seed: args.seed }),
  };
}

function reportRequests(args: ProgramArguments): readonly ReportRequest[] {
  return withHuman(args.reporters.map((given) => readReportRequest(given, args.reportDir)));
}

/** Text to print for an error that ended a program, and the status that goes with it. */
export function explainError(
  error: unknown,
  generator: string,
): { readonly text: string; readonly status: ProgramStatus } {
  if (error instanceof Failure) {
    const { code, message, help } = error.facts;
    return {
      text: `error[${code}]: ${shortened(message)}\n${help === undefined ? '' : `  = ${shortened(help)}\n`}`,
      status: 2,
    };
  }
  const reason = error instanceof Error ? error.message : String(error);
  const { code, message, help } = fail.internalBug({ reason }).facts;
  const stack = error instanceof Error && error.stack !== undefined ? error.stack : reason;
  return {
    text: `error[${code}]: ${shortened(message)}\n  = ${help ?? ''}\n\n${generator}, Node ${process.version}, ${process.platform} ${process.arch}\n${stack}\n`,
    status: 70,
  };
}
