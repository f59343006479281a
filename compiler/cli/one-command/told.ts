import { printable, printableBlock } from '#grammar/source/printable.ts';
import { valueText } from '#runtime/reporters/failure-text.ts';
import type { ExitStatus, Terminal } from '#schemas/types/cli.ts';
import type { Failure } from '#schemas/types/failure.ts';
import { shortened } from '#schemas/types/message-text.ts';

/** Parameters that do not fit: the command line was wrong, nothing has run. */
const UNFIT = 'SVC80029';

/** A document, contract, action file or database that the command line names is not there, or cannot be read. */
const unreadable: ReadonlySet<string> = new Set(['SVC84020', 'SVC84030', 'SVC84105', 'SVC90170']);

/**
 * Tells of what went wrong while a verb did its work. Wrong use is thrown on; an input that cannot be read is wrong
 * use, too.
 */
export function told(failure: Failure, terminal: Terminal): ExitStatus {
  if (failure.facts.code === UNFIT) throw failure;
  const { code, message, help } = failure.facts;
  const { actual, expected } = failure.options;
  const lines = [`error[${code}]: ${printableBlock(shortened(message), '  | ')}`];
  if (actual !== undefined) lines.push(`  | actual:   ${valueText(actual)}`);
  if (expected !== undefined) lines.push(`  | expected: ${valueText(expected)}`);
  for (let { cause } = failure; cause instanceof Error; { cause } = cause)
    lines.push(`  = because: ${printable(shortened(cause.message))}`);
  if (help !== undefined) lines.push(`  = ${printable(shortened(help))}`);
  terminal.err(`${lines.join('\n')}\n`);
  return unreadable.has(code) ? 2 : 1;
}
