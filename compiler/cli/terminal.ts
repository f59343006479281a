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
    lines: linesOfInput,
    colours: { out: standardOutput.isColourful, err: standardError.isColourful },
    isTerminal: standardOutput.isTerminal,
    columns: standardOutput.columns,
  };
}

/** Lines as somebody types them; none is longer than what is kept of one. */
async function* linesOfInput(signal: AbortSignal): AsyncGenerator<string> {
  const { createInterface } = await import('node:readline');
  const reader = createInterface({ input: process.stdin, terminal: false });
  const close = (): void => reader.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    for await (const line of reader) yield line;
  } finally {
    signal.removeEventListener('abort', close);
    reader.close();
    process.stdin.unref();
  }
}

/** A folder that was removed under this process is one where nothing is. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}
