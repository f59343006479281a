import type { BlockOutcome, BlockStep } from '#runtime/kernel/ports.ts';
import type { Json } from '#schemas/types/json.ts';
import type { RecordedError } from '#schemas/types/record.ts';

export interface StepResult {
  readonly index: number;
  readonly action: string;
  readonly status: 'ok' | 'error' | 'skipped' | 'dry_run';
  readonly value?: Json;
  readonly error?: { readonly type: string; readonly message: string };
  /** Reason why it was skipped. */
  readonly reason?: string;
}

/** Result of one step of a list, as results show it: success and failure stand apart from the value. */
export function stepResult(
  { command, status, result, error, reason }: Omit<BlockStep, 'id'>,
  index: number,
): StepResult {
  return {
    index,
    action: command,
    status: shown[status],
    ...(result !== undefined && { value: result }),
    ...(error !== undefined && { error: { type: error.name, message: messageOf(error) } }),
    ...(reason !== undefined && { reason }),
  };
}

/** A failure in words; of steps and files inside a step with what the first of them says: these are not shown. */
function messageOf({ name, message, cause }: RecordedError): string {
  if (!cause) return message;
  if (name === 'nested-steps-failed') return `${message} The first: ${messageOf(cause)}`;
  return OF_FILES.has(name) ? `${message} ${messageOf(cause)}` : message;
}

/** Names of failures of an action file, of which the cause says what is wrong with it. */
const OF_FILES: ReadonlySet<string> = new Set(['ExecuteActionException', 'JsonActionException']);

/** The steps of a list by `execute[<index>]: <command>`, in list order. */
export function stepResults(outcome: BlockOutcome): Record<string, StepResult> {
  return Object.fromEntries(
    outcome.steps.map((step, index) => [`execute[${index}]: ${step.command}`, stepResult(step, index)]),
  );
}

/** The steps of a graph by their ids, in list order. */
export function nodeResults(outcome: BlockOutcome): Record<string, StepResult> {
  return Object.fromEntries(outcome.steps.map((step, index) => [step.id, stepResult(step, index)]));
}

const shown = { passed: 'ok', failed: 'error', skipped: 'skipped', 'dry-run': 'dry_run' } as const;
