import { pageScriptFailed } from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

/** The way into the current page, or its current frame, that both engines have. */
export interface PageScripts {
  /** Runs the body of a function there; its `arguments` are `args`. A promise that it returns is awaited. */
  evaluate(scope: { readonly signal: AbortSignal }, body: string, args: readonly Json[]): Promise<unknown>;
}

/** Error that a script of ours threw in the page. */
export interface PageError {
  /** Such as `SecurityError`. */
  readonly name: string;
  readonly message: string;
}

/**
 * Runs a script of ours, which may await, and yields what it returns; undefined becomes null. Its errors reach
 * `failed` alike from both engines, whose own words for it differ.
 */
export async function askPage(
  page: PageScripts,
  scope: { readonly signal: AbortSignal },
  body: string,
  args: readonly Json[] = [],
  failed: (error: PageError) => Failure = ({ message }) => pageScriptFailed({ reason: message }),
): Promise<unknown> {
  const answer = await page.evaluate(scope, guarded(body), args);
  if (!isObject(answer)) throw pageScriptFailed({ reason: 'it gave no answer' });
  const { error } = answer;
  if (isObject(error)) throw failed({ name: String(error['name']), message: String(error['message']) });
  return answer['value'] ?? null;
}

function guarded(body: string): string {
  return `return (async (given) => {
  try { return { value: await (async function () {${body}\n}).apply(null, given) }; }
  catch (error) { return { error: { name: String(error && error.name), message: String((error && error.message) || error) } }; }
})(Array.from(arguments))`;
}
