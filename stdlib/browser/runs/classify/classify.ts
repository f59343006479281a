import type { Ports } from '#runtime/kernel/ports.ts';
import { commandRaising } from '#stdlib/command.ts';

import { statistics } from '../flakiness.ts';

import { classOfText } from './patterns.ts';

/** The rule of `WR_flakiness_stats` without options. */
const RULE = { minRuns: 3, window: 50 };

const command = commandRaising('ClassifierError', ['LedgerError']);

type FailureClass = 'transient' | 'flaky' | 'environment' | 'real';

export const WR_classify_error = command('WR_classify_error', ({ error_repr }) => classOfText(error_repr));

export const WR_classify_failure = command(
  'WR_classify_failure',
  async ({ error_repr, ledger_path, file_path }, ctx) => {
    const flaky = file_path === null ? new Set<string>() : await flakyFiles(ctx.ledger, ledger_path);
    return classOf(error_repr, file_path, flaky);
  },
);

export const WR_classify_failures = command('WR_classify_failures', async ({ failures, ledger_path }, ctx) => {
  const flaky = await flakyFiles(ctx.ledger, ledger_path);
  const classes = new Map<string, FailureClass>();
  const counts = new Map<string, number>();
  for (const [index, { file_path, function_name, exception }] of failures.entries()) {
    const name = file_path ?? function_name ?? String(index);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    classes.set(count === 1 ? name : `${name} #${count}`, classOf(exception, file_path, flaky));
  }
  return Object.fromEntries(classes);
});

function classOf(
  text: string | null | undefined,
  file: string | null | undefined,
  flaky: ReadonlySet<string>,
): FailureClass {
  const shown = classOfText(text);
  if (shown !== null) return shown;
  return typeof file === 'string' && flaky.has(file) ? 'flaky' : 'real';
}

async function flakyFiles(ledger: Ports['ledger'], path: string | null): Promise<ReadonlySet<string>> {
  if (path === null) return new Set();
  const counts = statistics(await ledger.runs(path), RULE);
  return new Set([...counts].flatMap(([file, { flaky }]) => (flaky ? [file] : [])));
}
