import { once } from '#grammar/language/once.ts';

import type { CommandLine, CommandLineError } from './ast.ts';

const grammar = once(async () => (await import('./parser.ts')).makeCurlGrammar());

/**
 * Reads a command line as a POSIX shell would, or one for PowerShell or the command prompt of Windows: words
 * without quotes, variables as references to the environment. Never throws.
 */
export async function parseCommandLine(text: string): Promise<CommandLine | CommandLineError> {
  const read = await grammar.load();
  if (/`\r?\n/.test(text)) return read(fromPowerShell(text));
  return read(isPrompt(text) ? fromPrompt(text) : text);
}

/** The line for a POSIX shell that PowerShell reads: a backtick continues lines and escapes, quotes are doubled. */
function fromPowerShell(text: string): string {
  const joined = text.replace(/`\r?\n\s*/g, ' ');
  return joined.replace(/'(?:''|[^'])*'|"(?:`[\s\S]|""|\\"|[^"`])*"/g, (quoted) =>
    quoted.startsWith("'")
      ? `'${quoted.slice(1, -1).replaceAll("''", `'\\''`)}'`
      : `"${quoted
          .slice(1, -1)
          .replaceAll('""', '\\"')
          .replace(/`([\s\S])/g, (_, sign: string) => escaped(sign))}"`,
  );
}

function escaped(sign: string): string {
  if (sign === 'n') return '\n';
  if (sign === 't') return '\t';
  return /["$`\\]/.test(sign) ? `\\${sign}` : sign;
}

/** The command prompt continues lines and escapes signs with a caret, quotes among them. */
function isPrompt(text: string): boolean {
  const unquoted = text.replace(/'[^']*'/g, '');
  return /\^\r?\n|\s\^"/.test(unquoted) && !/\\\r?\n/.test(text);
}

/** Stands for a line break that is text: no command line holds this sign. */
const TEXT_BREAK = '\0';

/** The same line for a POSIX shell. A caret before a line break continues the line; before two it makes one of them. */
function fromPrompt(text: string): string {
  const joined = text
    .replace(/\^\r?\n\r?\n/g, TEXT_BREAK)
    .replace(/\^\r?\n\s*/g, ' ')
    .replace(/\^(.)/gs, '$1');
  // Inside of quotes a backslash escapes quotes and itself; nothing else is special.
  return withOneQuote(joined).replaceAll('$', '\\$').replaceAll('`', '\\`');
}

/** Two quotes inside of quotes are one that is text: it gets a backslash. A line break that is text gets quotes. */
function withOneQuote(text: string): string {
  let isQuoted = false;
  return text.replace(/\\(?=\0)|\\[\s\S]|""?|\0/g, (signs) => {
    if (signs === TEXT_BREAK) return isQuoted ? '\n' : '"\n"';
    if (signs === '\\') return '\\\\';
    if (signs === '""' && isQuoted) return '\\"';
    if (signs === '"') isQuoted = !isQuoted;
    return signs;
  });
}
