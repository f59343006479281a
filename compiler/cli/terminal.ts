import { standardError, standardOutput } from '#runtime/program/standard-streams.ts';
import type { Terminal } from '#schemas/types/cli.ts';

/** The process's own streams. */
export function processTerminal(): Terminal {
  return {
    cwd: currentFolder(),
    env: process.env,
    out: (text, form) => standardOutput.write(text, form),
    err: (text, form) => standardError.write(text, form),
    input: async (limit) => (await import('./read-bounded.ts')).readBounded(process.stdin, limit),
    colours: { out: standardOutput.isColourful, err: standardError.isColourful },
    isTerminal: standardOutput.isTerminal,
    columns: standardOutput.columns,
  };
}

/** A folder that was removed under this process is one where nothing is. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}
