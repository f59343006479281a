import { resolve } from 'node:path';

import { coverageKinds, coverageText, readMinimum, type Minimum } from '#grammar/openapi/coverage.ts';
import { printableLine } from '#grammar/source/printable.ts';
import { openRunCoverage, type RunCoverage } from '#compiler/engine/run/run-coverage.ts';
import { writeOutput } from '#compiler/engine/write-output.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { one } from '../options.ts';
import type { Workspace } from '../workspace.ts';

/**
 * The document that `--openapi` names, ready to see the run; undefined without one. Wrong use is found before anything
 * runs.
 */
export async function coverageOf(
  { options }: ParsedArguments,
  { host }: Workspace,
  terminal: Terminal,
): Promise<RunCoverage | undefined> {
  const path = one(options, 'openapi');
  for (const name of ['min-coverage', 'coverage-report'])
    if (path === undefined && options[name] !== undefined)
      throw fail.argumentMissing({ verb: 'run', argument: `--openapi beside --${name}` });
  minimumOf(one(options, 'min-coverage'));
  return path === undefined ? undefined : await openRunCoverage(resolve(terminal.cwd, path), path, host);
}

/**
 * Tells what was exercised, on standard error beside machine output; yields whether everything that was asked for
 * holds.
 */
export async function tellCoverage(
  coverage: RunCoverage,
  { options }: ParsedArguments,
  terminal: Terminal,
): Promise<boolean> {
  const report = coverage.report(minimumOf(one(options, 'min-coverage')));
  const text = coverageText(report)
    .split('\n')
    .map((line) => `${printableLine(line)}\n`)
    .join('');
  if (options['json']) terminal.err(text);
  else terminal.out(text);
  const file = one(options, 'coverage-report');
  if (file !== undefined)
    await writeOutput(resolve(terminal.cwd, file), `${JSON.stringify(report, null, 2)}\n`, [terminal.cwd]);
  return report.ok;
}

/** `0.8`, or `operations=0.8,statuses=0.5`. */
function minimumOf(text: string | undefined): Minimum {
  if (text === undefined) return {};
  const pairs = text.split(',').map((part) => part.split('=', 2));
  const given = text.includes('=')
    ? Object.fromEntries(
        pairs.map(([name = '', value = '']) => [
          name.trim().replaceAll('-', '_'),
          value.trim() === '' ? NaN : Number(value),
        ]),
      )
    : Number(text);
  const minimum = readMinimum(given);
  if (minimum === undefined || text.trim() === '')
    throw fail.valueNotShares({ option: 'min-coverage', given: text, names: [...coverageKinds].toSorted().join(', ') });
  return minimum;
}
