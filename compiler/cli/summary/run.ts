import { basename, dirname, join, resolve } from 'node:path';
import { styleText } from 'node:util';

import { printableLine } from '#grammar/source/printable.ts';
import * as fail from '#schemas/generated/failures.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Files } from '#schemas/types/host.ts';
import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { answer } from '../answer.ts';
import { told } from '../one-command/told.ts';
import { many } from '../options.ts';
import { readNamed } from '../read-named.ts';
import { openWorkspace } from '../workspace.ts';

/** Failures that are shown. */
const SHOWN = 5;
const ending = /_success\.json$/;

interface FailedRequest {
  readonly method: string;
  readonly url: string;
  readonly error: string;
}

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { files } = (await openWorkspace(args, terminal)).host;
  try {
    const given = many(args.options, 'report');
    const reports = given.length > 0 ? given : await newestReport(terminal.cwd, files);
    let succeeded = 0;
    const failures: FailedRequest[] = [];
    for (const report of reports) {
      const path = resolve(terminal.cwd, report);
      if (path.endsWith('_failure.json'))
        throw fail.savedReport({ path: report, reason: 'it holds what failed: name the `_success.json` beside it' });
      succeeded += (await entriesOf(report, terminal.cwd, files)).length;
      const beside = join(dirname(path), basename(path).replace(ending, '_failure.json'));
      if (ending.test(path) && (await files.find(beside)))
        addAll(
          failures,
          (await entriesOf(report.replace(ending, '_failure.json'), terminal.cwd, files)).map(failureOf),
        );
    }
    const summary = { reports: [...reports], succeeded, failed: failures.length, last: failures.slice(-SHOWN) };
    answer(summary, () => view(summary, args.options['no-color'] !== true && terminal.colours.out), args, terminal);
    return 0;
  } catch (error) {
    if (error instanceof Failure) return told(error, terminal);
    throw error;
  }
}

function view(
  {
    reports,
    succeeded,
    failed,
    last,
  }: { reports: readonly string[]; succeeded: number; failed: number; last: readonly FailedRequest[] },
  colour: boolean,
): string {
  const paint = (paper: 'green' | 'red', text: string): string =>
    colour ? styleText(paper, text, { validateStream: false }) : text;
  const from = reports.length === 0 ? 'no report here' : reports.join(', ');
  return [
    `Requests (${printableLine(from)})`,
    `  ${paint('green', `${succeeded} succeeded`)}`,
    `  ${paint(failed > 0 ? 'red' : 'green', `${failed} failed`)}`,
    ...last.map((request) => `  ${failedLine(request)}`),
    '',
  ].join('\n');
}

/** The failure of a request on one line. Most name the request themselves. */
function failedLine({ method, url, error }: FailedRequest): string {
  const request = `${method} ${url}`;
  const text = error.startsWith(request) ? error : `${request}: ${error}`;
  return printableLine(text.replaceAll(/\s+/g, ' ').slice(0, 500));
}

/** The success report that was written last; none where there is none. */
async function newestReport(folder: string, files: Files): Promise<readonly string[]> {
  let newest: { readonly name: string; readonly at: number } | undefined;
  for (const { name, kind } of await files.list(folder)) {
    if (kind !== 'file' || !ending.test(name)) continue;
    const at = (await files.find(join(folder, name)))?.mtime_ms ?? 0;
    if (!newest || at > newest.at) newest = { name, at };
  }
  return newest ? [newest.name] : [];
}

async function entriesOf(shown: string, cwd: string, files: Files): Promise<readonly JsonObject[]> {
  const text = await readNamed(shown, { files, cwd });
  try {
    const json = JSON.parse(text) as Json;
    const entries = Object.values(isObject(json) ? json : {}) as readonly Json[];
    if (!isObject(json) || !entries.every((entry) => isObject(entry)))
      throw fail.savedReport({ path: shown, reason: 'it is no object of requests' });
    const [other] = Object.entries(json).find(([, entry]) => !isRequest(entry as JsonObject)) ?? [];
    if (other !== undefined) throw fail.savedReport({ path: shown, reason: `"${other}" is no request` });
    return entries;
  } catch (error) {
    if (error instanceof SyntaxError) throw fail.savedReport({ path: shown, reason: error.message });
    throw error;
  }
}

function isRequest(entry: JsonObject): boolean {
  return ['request_url', 'test_url', 'url'].some((name) => typeof entry[name] === 'string');
}

function failureOf(entry: JsonObject): FailedRequest {
  const text = (name: string): string => (typeof entry[name] === 'string' ? entry[name] : '');
  return {
    method: text('http_method')
      .replace(/^session_/i, '')
      .toUpperCase(),
    url: text('test_url') || text('url'),
    error: text('error'),
  };
}
