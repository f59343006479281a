import { CommandLineError } from '#grammar/curl/ast.ts';
import type { Word } from '#grammar/curl/ast.ts';
import { readOption } from '#grammar/curl/options.ts';
import { parseCommandLine } from '#grammar/curl/parse.ts';

import { CurlRequest } from './curl-request.ts';
import type { ImportedAction } from './request.ts';

/** Requests of one line at most. */
const MOST = 100;
/** Words that may stand before the program: a prompt, variables for it, commands that run another one. */
const before = /^(?:[$%>]|time|command|exec|sudo|env|[A-Za-z_]\w*=.*)$/s;
const program = /^(?:.*[\\/])?curl(?:\.exe)?$/i;

/** Whether a text is a command line of curl: one may stand behind a prompt. */
export function isCurlLine(text: string): boolean {
  return /^\s*(?:[$%>]\s+)?curl(?:\.exe)?(?:\s|$)/i.test(text);
}

/** The first request that a curl command line sends, as a test action; or why it is none. */
export async function importCurl(text: string): Promise<ImportedAction | CommandLineError> {
  const all = await importCurlLine(text);
  if (all instanceof CommandLineError) return all;
  const [first, ...others] = all;
  if (!first) return new CommandLineError('it has no address', 0);
  const lost = [...first.lost];
  if (others.length > 0) lost.push(`${others.length} further requests; \`svc import\` makes a step of each`);
  if (first.options?.['retry'] !== undefined) lost.push('--retry: `retry` beside the action repeats it');
  return { ...first, lost };
}

/** Each request that a curl command line sends, in order: of several addresses, patterns and parts behind `--next`. */
export async function importCurlLine(text: string): Promise<readonly ImportedAction[] | CommandLineError> {
  const line = await parseCommandLine(text);
  if (line instanceof CommandLineError) return line;
  const [first, ...rest] = line.words.slice(line.words.findIndex(({ plain }) => !before.test(plain)));
  if (!first || !program.test(first.plain))
    return new CommandLineError('it does not begin with curl', first?.from ?? 0);
  const actions: ImportedAction[] = [];
  let lost = line.lost;
  for (const words of partsOf(rest)) {
    const request = new CurlRequest(lost);
    const found = request.read(words) ?? request.actions();
    if (found instanceof CommandLineError) return found;
    actions.push(...found);
    lost = [];
  }
  return actions.length > MOST ? new CommandLineError(`it sends more than ${MOST} requests`, 0) : actions;
}

/** The words between `--next`: each part is a request with options of its own. Before an address it ends nothing. */
function partsOf(words: readonly Word[]): readonly (readonly Word[])[] {
  const parts: Word[][] = [[]];
  let isAddressed = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) continue;
    const option = readOption(word.text);
    const last = option?.options.at(-1);
    if (last?.name === 'next') {
      if (isAddressed) parts.push([]);
      isAddressed = false;
      continue;
    }
    isAddressed ||= !option || last?.name === 'url';
    parts.at(-1)?.push(word);
    const value = words[at + 1];
    if (last?.takes === 'value' && option?.value === undefined && value) {
      parts.at(-1)?.push(value);
      at += 1;
    }
  }
  const filled = parts.filter((part) => part.length > 0);
  return filled.length > 0 ? filled : [[]];
}
