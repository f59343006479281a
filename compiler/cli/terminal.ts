import type { Terminal } from '#schemas/types/cli.ts';

/** The process's own streams. Text that a closed pipe refuses (`svc … | head`) ends the process quietly. */
export function processTerminal(): Terminal {
  process.stdout.on('error', quitOnClosedPipe);
  process.stderr.on('error', quitOnClosedPipe);
  return {
    cwd: currentFolder(),
    env: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    input: async () => (await import('./inputs.ts')).readBounded(process.stdin),
    colours: { out: colourful(process.stdout), err: colourful(process.stderr) },
    isTerminal: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 80,
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

function colourful(stream: NodeJS.WriteStream): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused } = process.env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && (refused === undefined || refused === '') && process.env['TERM'] !== 'dumb';
}

function quitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
}
