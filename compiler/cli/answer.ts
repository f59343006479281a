import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';

/** Prints a value as JSON where `--json` asks for it, else what people read. */
export function answer(value: unknown, view: () => string, { options }: ParsedArguments, terminal: Terminal): void {
  if (options['json']) terminal.out(`${JSON.stringify(value, null, 2)}\n`, 'json');
  else terminal.out(view());
}
