import type { Failure } from '#schemas/types/failure.ts';
import type { RecordedError } from '#schemas/types/record.ts';
import { shortened } from '#schemas/types/message-text.ts';

import { causeOf, isFailure, nameOf, reasonOf } from '../as-failure.ts';
import type { Masker } from './masker.ts';
import { recordable, type KnownSecrets } from './recordable.ts';

const DEEPEST_CAUSE = 8;
const VALUE_LIMIT = 8 * 1024;

/** A failure with its causes as it is written: masked, and bounded in length and depth. */
export function recordedError(error: unknown, masker: Masker, known?: KnownSecrets, depth = 0): RecordedError {
  const behind = depth < DEEPEST_CAUSE ? causeOf(error) : undefined;
  const cause = behind === undefined ? undefined : recordedError(behind, masker, known, depth + 1);
  if (!isFailure(error))
    return { name: nameOf(error), message: message(reasonOf(error), masker), class: 'real', ...(cause && { cause }) };
  const { facts, options } = error;
  const { message: text, ...more } = shown(error, masker, known);
  return {
    name: facts.name,
    message: text,
    class: facts.class,
    code: facts.code,
    ...more,
    ...(!import.meta.withoutVariables &&
      options.expectations && {
        expectations: options.expectations.map(({ index, failure }) => ({ index, ...shown(failure, masker, known) })),
      }),
    ...(!import.meta.withoutVariables && options.capture !== undefined && { capture: options.capture }),
    ...(!import.meta.withoutVariables && options.when && { when: options.when }),
    ...(!import.meta.withoutControls && options.condition && { condition: options.condition }),
    ...(!import.meta.withoutVariables && options.place && { place: options.place }),
    ...(cause && { cause }),
  };
}

function shown(
  { facts, options }: Failure,
  masker: Masker,
  known: KnownSecrets | undefined,
): Pick<RecordedError, 'message' | 'help' | 'expected' | 'actual'> {
  const expected = recordable(options.expected, masker, known, VALUE_LIMIT);
  const actual = recordable(options.actual, masker, known, VALUE_LIMIT);
  return {
    message: message(facts.message, masker),
    ...(facts.help !== undefined && { help: message(facts.help, masker) }),
    ...(expected && { expected: expected.json }),
    ...(actual && { actual: actual.json }),
  };
}

function message(text: string, masker: Masker): string {
  return shortened(masker.text(text));
}
