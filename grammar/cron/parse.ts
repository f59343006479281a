import { once } from '#grammar/language/once.ts';

import type { ParsedCron } from './ast.ts';
import { scanCron } from './scan.ts';

export type { Cron, CronProblem, ParsedCron } from './ast.ts';

/**
 * The door of cron expressions: five fields, local time. The grammar is loaded only to say what is wrong with a text.
 */
const grammar = once(async () => (await import('./parser.ts')).makeCronGrammar());

/** Loads the grammar if one of the texts needs it. */
export async function prepareCron(texts: Iterable<string>): Promise<void> {
  for (const text of texts) if (scanCron(text) === undefined) return void (await grammar.load());
}

/** Reads a cron expression. Never throws; without `prepareCron` a problem is `unreadable` instead of exact. */
export function parseCron(text: string): ParsedCron {
  const cron = scanCron(text);
  if (cron !== undefined) return { cron, problems: [] };
  return grammar.loaded?.(text) ?? { problems: [{ key: 'unreadable', from: 0, to: text.length }] };
}
