import { spawn } from 'node:child_process';
import path from 'node:path';

/** The folder of the project. */
export const root: string = path.dirname(import.meta.dirname);

/** Runs a source file of the project in this Node; resolves with its exit status. */
export function node(file: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<number> {
  return command(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', file, ...args],
    env,
  );
}

/** Runs a tool that an npm package brings, by the package's script: no shell, the same on every platform. */
export function tool(script: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<number> {
  return command(process.execPath, [path.join('node_modules', script), ...args], env);
}

/** Runs a program in the project's folder with this terminal; resolves with its exit status, 128 + n after a signal. */
export function command(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1)));
  });
}

export interface Step {
  readonly name: string;
  readonly run: () => Promise<number>;
}

/** Runs steps in order with their times; stops at the first that fails and returns its status. */
export async function inOrder(steps: readonly Step[]): Promise<number> {
  for (const step of steps) {
    const begin = performance.now();
    const status = await step.run();
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    process.stderr.write(`${status === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)\n`);
    if (status !== 0) return status;
  }
  return 0;
}
