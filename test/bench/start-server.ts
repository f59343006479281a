import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own that answers every GET with small JSON, or a page with a form; ended by `close`. */
export async function startServer(): Promise<{ readonly url: string; close(): void }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('server.mjs', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  return { url, close: () => void child.kill() };
}
