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
    typed: (prompt, signal) =>
      process.stdin.isTTY && standardOutput.isTerminal ? typedLines(prompt, signal) : undefined,
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
    release();
  }
}

/** Lines that somebody types behind a prompt, with keys to edit them and to have earlier ones again. */
async function* typedLines(prompt: string, signal: AbortSignal): AsyncGenerator<string> {
  const [{ createInterface }, { WriteStream }] = await Promise.all([import('node:readline'), import('node:tty')]);
  // A stream of its own: standard output replaces the control characters by which a line is edited.
  const output = new WriteStream(1);
  const reader = createInterface({
    input: process.stdin,
    output,
    prompt,
    historySize: 1000,
    removeHistoryDuplicates: true,
  });
  const close = (): void => reader.close();
  signal.addEventListener('abort', close, { once: true });
  // While keys are read one by one, the terminal makes no signal of Ctrl+C.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    reader.prompt();
    for await (const line of reader) {
      yield line;
      if (!signal.aborted) reader.prompt();
    }
    standardOutput.write('\n');
  } finally {
    signal.removeEventListener('abort', close);
    reader.close();
    release();
  }
}

/** Lets the process end though its input is open; a file has nothing to let go of. */
function release(): void {
  (process.stdin as Partial<typeof process.stdin>).unref?.();
}

/** A folder that was removed under this process is one where nothing is. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    const named = process.env['PWD'] ?? '';
    return /^(?:\/|[a-zA-Z]:[\\/])/.test(named) ? named : '/';
  }
}
