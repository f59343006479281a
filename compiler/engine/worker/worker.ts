import type { ChildProcess } from 'node:child_process';

import { forkModule, spawnProgram } from '#runtime/hosts/node/programs/spawn.ts';
import type { Host } from '#schemas/types/host.ts';

import { ownFlags, ownScript } from '../own/command.ts';
import { toChild } from './fork-transport.ts';
import { listen } from './socket-transport.ts';
import { TOKEN_VARIABLE } from './token-variable.ts';
import type { Transport } from './transport.ts';

/** A process that runs units, as its run sees it. */
export interface Worker {
  readonly transport: Transport;
  /** End of its process: a signal, or `status N`. Rejects where it could not be started. */
  readonly ended: Promise<string>;
  kill(): void;
}

/** Working folder and environment of a worker. */
export interface WorkerPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type StartWorker = (place: WorkerPlace) => Promise<Worker>;

/** Program that runs in the process of a worker. */
export interface WorkerProgram {
  /** Flags of Node. */
  readonly flags: readonly string[];
  readonly script: string;
  readonly args: readonly string[];
}

const own: WorkerProgram = { flags: ownFlags, script: ownScript, args: ['__unit'] };

/** Workers that are reached by the channel which Node opens to a forked process. */
export function forkedWorkers({ flags, script, args }: WorkerProgram = own): StartWorker {
  return async ({ cwd, env }) => {
    const child = forkModule(script, args, {
      cwd,
      env: env,
      execArgv: [...flags],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    return { transport: toChild(child), ended: endOf(child), kill: () => void child.kill('SIGKILL') };
  };
}

/** Workers that connect to a local socket, as those do that somebody else starts. `folder` is this user's alone. */
export function socketWorkers(
  host: Pick<Host, 'platform' | 'random'>,
  folder: string,
  { flags, script, args }: WorkerProgram = own,
): StartWorker {
  return async ({ cwd, env }) => {
    const listening = await listen(host, folder);
    const child = spawnProgram(process.execPath, [...flags, script, ...args, listening.address], {
      cwd,
      env: { ...env, [TOKEN_VARIABLE]: listening.token },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const ended = endOf(child);
    const isGone = ended.then((how) => {
      listening.close();
      throw new Error(`the worker ended before it had connected: ${how}`);
    });
    isGone.catch(() => undefined);
    const transport = await Promise.race([listening.accepted, isGone]);
    return { transport, ended, kill: () => void child.kill('SIGKILL') };
  };
}

function endOf(child: ChildProcess): Promise<string> {
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ?? `status ${code}`));
  });
  // Whoever waits for it hears of it.
  ended.catch(() => undefined);
  return ended;
}
