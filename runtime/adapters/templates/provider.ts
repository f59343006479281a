import type { Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { Environment, parse, tokenize, type Node, type Scope } from './library.ts';
import { markOutput } from './output.ts';
import type { TemplateOptions } from './port.ts';
import { withoutRaw } from './raw-blocks.ts';
import { TemplateRun } from './template-run.ts';

/** Longest `range`, as in Jinja's own sandbox. */
const LONGEST_RANGE = 100_000;

export const provider: Provider<'templates'> = { open: () => ({ render }) };

function render(template: string, context: JsonObject, { autoescape }: TemplateOptions): string {
  try {
    const program = parsed(template);
    markOutput(program);
    return String(new TemplateRun(scopeOf(context), autoescape).run(program).value);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    // The stack is full, or a text is longer than texts can be.
    if (cause instanceof RangeError) throw fail.templateTooMuch({ cause });
    throw fail.templateBroken({
      // The library leaves a loop by an error without a text.
      reason: (cause instanceof Error && cause.message) || '`break` or `continue` stands outside of a loop',
      cause,
    });
  }
}

function parsed(template: string): Node {
  const tokens = tokenize(withoutRaw(template.replace(/\r\n$/, '\n')));
  try {
    return parse(tokens);
  } catch (cause) {
    // The parser looks behind the last token.
    if (cause instanceof TypeError)
      throw fail.templateBroken({ reason: 'it ends inside of an expression, or a block has no end', cause });
    throw cause;
  }
}

/** The values of a context above the names that every template knows. */
function scopeOf(context: JsonObject): Scope {
  const known = new Environment();
  for (const [name, value] of Object.entries({
    true: true,
    True: true,
    false: false,
    False: false,
    none: null,
    None: null,
    range,
  }))
    known.set(name, value);
  const scope = new Environment(known);
  scope.variables.clear();
  for (const [name, value] of Object.entries(context)) scope.set(name, value);
  return scope;
}

function range(first: number, second?: number, third?: number): readonly number[] {
  const [start, stop] = typeof second === 'number' ? [first, second] : [0, first];
  const step = typeof third === 'number' ? third : 1;
  const length = Math.max(0, Math.ceil((stop - start) / step));
  if (step === 0 || Number.isNaN(length)) throw new Error('range() takes whole numbers, and a step other than 0');
  if (length > LONGEST_RANGE) throw fail.templateTooMuch({});
  return Array.from({ length }, (_, index) => start + index * step);
}
