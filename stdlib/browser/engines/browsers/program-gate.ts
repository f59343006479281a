import { namesProgram } from '#grammar/browser-start/names-program.ts';
import type { Base, Settings } from '#runtime/kernel/ports.ts';
import type { StartPart } from '#schemas/types/start-part.ts';

/** Options of a start, by their parts. */
export type StartParts = { readonly [Part in StartPart]?: unknown };

/** Asks for the gate `shell` where a start names a program, or may make the browser start one. */
export function requireShell(scope: Pick<Base, 'require'>, parts: StartParts): void {
  for (const [part, value] of Object.entries(parts)) {
    const named = namesProgram(part as StartPart, value);
    if (named !== undefined) scope.require('shell', named);
  }
}

/** The configuration may come with the change that is to be checked: it names programs no more freely than a step. */
export function requireShellForSettings(scope: Pick<Base, 'require'>, { browser }: Settings): void {
  if (browser?.executable_path !== undefined) scope.require('shell', 'browser.executable_path');
  if (browser?.driver_path !== undefined) scope.require('shell', 'browser.driver_path');
  requireShell(scope, { switches: browser?.args ?? [] });
}
