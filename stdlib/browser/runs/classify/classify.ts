import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { commandRaising } from '#stdlib/command.ts';

import { statistics, USUAL_WINDOW, type Counts } from '../flakiness.ts';

import { classOfText, type Shown } from './patterns.ts';

/** The rule of `WR_flakiness_stats` without options. */
const RULE = { minRuns: 3, window: USUAL_WINDOW };

const command = commandRaising('ClassifierError', ['LedgerError']);

type FailureClass = 'transient' | 'flaky' | 'environment' | 'real';

export const WR_classify_error = command('WR_classify_error', ({ error_repr }, ctx) => {
  const shown = classOfText(error_repr);
  if (shown) tell([reasonOf(shown)], ctx);
  return shown?.kind ?? null;
});

export const WR_classify_failure = command(
  'WR_classify_failure',
  async ({ error_repr, ledger_path, file_path }, ctx) => {
    const history = file_path === null ? NONE : await historyOf(ctx.ledger, ledger_path);
    const { kind, reason } = classOf(error_repr, file_path, history);
    tell([reason], ctx);
    return kind;
  },
);

export const WR_classify_failures = command('WR_classify_failures', async ({ failures, ledger_path }, ctx) => {
  const history = await historyOf(ctx.ledger, ledger_path);
  const classes = new Map<string, Classified>();
  const unique = uniqueNames();
  for (const [index, { file_path, function_name, exception }] of failures.entries()) {
    const name = unique(file_path ?? function_name ?? String(index));
    classes.set(name, classOf(exception, file_path, history));
  }
  if (classes.size > 0)
    tell(
      [...classes].map(([name, { reason }]) => `${name}: ${reason}`),
      ctx,
    );
  return Object.fromEntries([...classes].map(([name, { kind }]) => [name, kind]));
});

/** Yields a name as it is, and each further one of the same name with a number that no name before it had. */
function uniqueNames(): (name: string) => string {
  const given = new Set<string>();
  const counts = new Map<string, number>();
  return (name) => {
    let [count, chosen] = [counts.get(name) ?? 1, name];
    while (given.has(chosen)) chosen = `${name} #${(count += 1)}`;
    counts.set(name, count);
    given.add(chosen);
    return chosen;
  };
}

interface Classified {
  readonly kind: FailureClass;
  /** Evidence that decided, in words. */
  readonly reason: string;
}

type History = ReadonlyMap<string, Counts>;

const NONE: History = new Map();

function classOf(text: string | null | undefined, file: string | null | undefined, history: History): Classified {
  const shown = classOfText(text);
  if (shown) return { kind: shown.kind, reason: reasonOf(shown) };
  const counts = typeof file === 'string' ? history.get(file) : undefined;
  if (!counts?.flaky) return { kind: 'real', reason: 'real: neither its text nor its history says otherwise' };
  const { passes, runs } = counts;
  return { kind: 'flaky', reason: `flaky: ${passes} of the latest ${runs} runs of ${file ?? ''} passed` };
}

function reasonOf({ kind, words }: Shown): string {
  return `${kind}: the text says "${words.replaceAll(/\s+/g, ' ')}"`;
}

/** Attaches the evidence to the step: the result is the class alone. */
function tell(reasons: readonly string[], ctx: Pick<Base, 'attach'>): void {
  ctx.attach({ kind: 'text', name: 'classification', text: reasons.join('\n') });
}

async function historyOf(ledger: Ports['ledger'], path: string | null): Promise<History> {
  return path === null ? NONE : statistics(await ledger.runs(path), RULE);
}
