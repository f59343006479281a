import { join, resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files, Host } from '#schemas/types/host.ts';

import type { Reporter, ReporterTarget } from '../kernel/events.ts';
import type { TextForm } from '#schemas/types/text-form.ts';

import { outgoing } from '../reporters/outgoing.ts';
import type { HumanOptions } from '../reporters/human.ts';
import {
  folderReporters,
  reporterNames,
  type OpenReporter,
  type ReporterName,
  type Reporters,
} from '../reporters/names.ts';

import { prepareOutput, writeOutput, type Bounds, type OutputFiles } from './output.ts';
import { standardError, standardOutput } from './standard-streams.ts';
import { appendToStepSummary } from './step-summary.ts';

/** A reporter that was asked for: its name, and the file that it writes; without one, standard output. */
export interface ReportRequest {
  readonly name: ReporterName;
  readonly file?: string;
  /** Standard error in place of standard output. */
  readonly toError?: true;
}

/** Names of this process's own streams: these are written to as they are, not opened as files. */
const outputs: readonly string[] = ['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'];
const errors: readonly string[] = ['/dev/stderr', '/dev/fd/2', '/proc/self/fd/2'];

/** File names of reports in a folder of their own. Those without a name here always go to standard output. */
const fileNames: Readonly<Partial<Record<ReporterName, string>>> = {
  ctrf: 'ctrf.json',
  gitlab: 'code-quality.json',
  html: 'report.html',
  junit: 'junit.xml',
  json: 'result.json',
  markdown: 'summary.md',
  tap: 'result.tap',
};

/** File name of a report of this kind where it is kept; a folder is not. */
export function keptName(name: ReporterName): string | undefined {
  return folderReporters.includes(name) ? undefined : (fileNames[name] ?? `${name}.txt`);
}

/** The reports as they are written: people are told on standard output, unless another report goes there. */
export function withHuman(requests: readonly ReportRequest[]): readonly ReportRequest[] {
  const tells = ({ name, file, toError }: ReportRequest): boolean =>
    file === undefined && (!toError || name === 'human');
  return requests.some(tells) ? requests : [{ name: 'human' }, ...requests];
}

/**
 * Reads `NAME` and `NAME=FILE`, where `-` is standard output. Without a file, a page goes to `report.html`, a folder to
 * `allure-results`, and with `dir` other reports into that folder too. Fails for names that nothing is called, and for
 * a stream where a folder is written.
 */
export function readReportRequest(given: string, dir: string | undefined): ReportRequest {
  const equals = given.indexOf('=');
  const word = equals < 0 ? given : given.slice(0, equals);
  const name = reporterNames.find((known) => known === word);
  if (!name) throw fail.unknownReporter({ name: word, allowed: reporterNames.join(', ') });
  const own = fileNames[name];
  if (equals >= 0) return namedRequest(name, given.slice(equals + 1));
  if (!import.meta.withoutFolders && folderReporters.includes(name))
    return { name, file: join(dir ?? '.', `${name}-results`) };
  if (own !== undefined && (dir !== undefined || name === 'html')) return { name, file: join(dir ?? '.', own) };
  return { name };
}

function namedRequest(name: ReporterName, file: string): ReportRequest {
  if (!import.meta.withoutFolders && folderReporters.includes(name) && [...outputs, ...errors].includes(file))
    throw fail.reportIsFolder({ name, given: file });
  if (outputs.includes(file)) return { name };
  return errors.includes(file) ? { name, toError: true } : { name, file };
}

export interface ReportOptions {
  readonly files: OutputFiles & Pick<Files, 'makeDirectory'>;
  /** Folders below which nothing is written through a link. */
  readonly bounds: Bounds;
  readonly reporters: Reporters;
  readonly cwd: string;
  /** Absent where no reporter asks for it. */
  readonly env?: Host['env'];
  readonly verbose: boolean;
  /** Defaults of a command's parameters, which a dry run leaves out. */
  readonly defaultsOf?: HumanOptions['defaultsOf'];
  /** Target in place of standard output. */
  readonly output?: ReporterTarget;
}

/** Opens a reporter. */
export async function openReporter(request: ReportRequest, options: ReportOptions): Promise<Reporter> {
  const load = options.reporters[request.name];
  if (!load) throw fail.reporterNotLinked({ name: request.name, linked: Object.keys(options.reporters).join(', ') });
  const loaded = await load();
  const open = import.meta.withoutStepSummary ? loaded : withPage(request, loaded, options);
  const { verbose, defaultsOf } = options;
  const own = { verbose, ...(!import.meta.withoutVerbose && defaultsOf && { defaultsOf }) };
  if (request.toError) return open(toStandardError(), own);
  if (request.file === undefined) return open(options.output ?? toStandardOutput(), own);
  const path = resolve(options.cwd, request.file);
  const { target, save } = await (!import.meta.withoutFolders && folderReporters.includes(request.name)
    ? folderTarget(path, options)
    : fileTarget(path, options));
  const reporter = open(target, own);
  return {
    ...reporter,
    async end() {
      await reporter.end?.();
      await save();
    },
  };
}

/** The reporter for GitHub Actions appends to the file that a step of a job has there for its part of the page. */
function withPage({ name }: ReportRequest, open: OpenReporter, options: ReportOptions): OpenReporter {
  const { env, cwd, files, bounds } = options;
  const given = name === 'github' ? env?.['GITHUB_STEP_SUMMARY'] : undefined;
  if (given === undefined || given === '') return open;
  const file = { path: resolve(cwd, given), files, bounds };
  const appendToPage = (text: string): Promise<void> => appendToStepSummary(file, outgoing(text, 'lines'));
  return (target, own) => open({ ...target, appendToPage }, own);
}

/** Reports that people and build servers read line by line: other lines may stand between theirs. */
const open: readonly ReporterName[] = ['azure', 'github', 'human'];

/** Writes the lines of steps; to standard error where standard output belongs to a report for programs. */
export function saidLines(requests: readonly ReportRequest[], output: ReporterTarget | undefined): Reporter {
  const isTaken = requests.some(({ name, file, toError }) => file === undefined && !toError && !open.includes(name));
  return {
    showsEvidence: false,
    event(event) {
      if (event.kind !== 'lines' || event.lines.length === 0) return;
      const text = `${event.lines.join('\n')}\n`;
      if (event.stream === 'stderr' || isTaken) standardError.write(text, 'lines');
      else if (output) output.write(text, 'lines');
      else standardOutput.write(text, 'lines');
    },
  };
}

function toStandardError(): ReporterTarget {
  const { isColourful, columns } = standardError;
  return { write: (text, form) => standardError.write(text, form), colour: isColourful, live: false, columns };
}

function toStandardOutput(): ReporterTarget {
  const { isColourful, isTerminal, columns } = standardOutput;
  return {
    write: (text, form) => standardOutput.write(text, form),
    colour: isColourful,
    live: isTerminal && !process.env['CI'],
    columns,
  };
}

/** A report on its way to the disk. */
interface Saved {
  readonly target: ReporterTarget;
  readonly save: () => Promise<void>;
}

/**
 * Collects a report, which appears whole at the end. A report that cannot be written is told of before anything
 * has run.
 */
async function fileTarget(path: string, { files, bounds }: ReportOptions): Promise<Saved> {
  const parts: string[] = [];
  await prepareOutput(files, path, bounds);
  return {
    target: {
      write: (text, form: TextForm = 'people') => void parts.push(outgoing(text, form)),
      colour: false,
      live: false,
      columns: 80,
    },
    save: () => writeOutput(files, path, parts.join(''), bounds),
  };
}

/** Collects the files of a folder; each appears whole at the end, in the order given. Other files in it stay. */
async function folderTarget(folder: string, { files, bounds }: ReportOptions): Promise<Saved> {
  const kept = new Map<string, string | Uint8Array>();
  // Any name in it: those that are written are not known yet.
  await prepareOutput(files, join(folder, '0'), bounds);
  return {
    target: {
      write: () => undefined,
      file: (name, content) => void kept.set(name, content),
      colour: false,
      live: false,
      columns: 80,
    },
    async save() {
      for (const [name, content] of kept) await writeOutput(files, join(folder, name), content, bounds);
    },
  };
}
