import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';

import type { Reporter, ReporterTarget } from '../kernel/events.ts';
import type { TextForm } from '#schemas/types/text-form.ts';

import { outgoing } from '../reporters/outgoing.ts';
import { reporterNames, type ReporterName, type Reporters } from '../reporters/names.ts';

import { reasonOf } from './record-file.ts';
import { standardOutput } from './standard-streams.ts';

/** A reporter that was asked for: its name, and the file that it writes; without one, standard output. */
export interface ReportRequest {
  readonly name: ReporterName;
  readonly file?: string;
}

/** What reports are called in a folder of their own. Those without a name here always go to standard output. */
const fileNames: Readonly<Partial<Record<ReporterName, string>>> = {
  html: 'report.html',
  junit: 'junit.xml',
  json: 'result.json',
  tap: 'result.tap',
};

/**
 * Reads `NAME` and `NAME=FILE`. Without a file, a page goes to `report.html`, and with `dir` other reports into that folder
 * too. Fails for names that nothing is called.
 */
export function readReportRequest(given: string, dir: string | undefined): ReportRequest {
  const equals = given.indexOf('=');
  const word = equals < 0 ? given : given.slice(0, equals);
  const name = reporterNames.find((known) => known === word);
  if (!name) throw fail.unknownReporter({ name: word, allowed: reporterNames.join(', ') });
  const own = fileNames[name];
  if (equals >= 0) return { name, file: given.slice(equals + 1) };
  if (own !== undefined && (dir !== undefined || name === 'html')) return { name, file: join(dir ?? '.', own) };
  return { name };
}

export interface ReportOptions {
  readonly reporters: Reporters;
  readonly cwd: string;
  readonly verbose: boolean;
  /** In place of standard output. */
  readonly output?: ReporterTarget;
}

/** Opens a reporter. */
export async function openReporter(request: ReportRequest, options: ReportOptions): Promise<Reporter> {
  const open = await options.reporters[request.name]();
  if (request.file === undefined) return open(options.output ?? toStandardOutput(), { verbose: options.verbose });
  const { target, save } = fileTarget(resolve(options.cwd, request.file));
  const reporter = open(target, { verbose: options.verbose });
  return {
    ...reporter,
    async end() {
      await reporter.end?.();
      save();
    },
  };
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

/** Collects a report, which appears whole at the end. */
function fileTarget(path: string): { readonly target: ReporterTarget; readonly save: () => void } {
  const parts: string[] = [];
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      throw fail.outputNotWritten({ path, reason: reasonOf(cause), cause });
    }
  };
  // What cannot be written is told of before anything has run.
  attempt(() => {
    mkdirSync(dirname(path), { recursive: true });
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
  });
  const save = (): void =>
    attempt(() => {
      const temporary = `${path}.${process.pid}.tmp`;
      writeFileSync(temporary, parts.join(''));
      renameSync(temporary, path);
    });
  const write = (text: string, form: TextForm = 'people'): void => void parts.push(outgoing(text, form));
  return { target: { write, colour: false, live: false, columns: 80 }, save };
}
