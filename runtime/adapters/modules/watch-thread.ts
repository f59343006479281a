import type { Worker } from 'node:worker_threads';

/**
 * Starts a thread that watches the first one and does not keep the process. Undefined outside of the first thread, and
 * where the process may start no threads. Without the inspector, which a build of Node may lack, it ends at once.
 */
export function watchThread(text: string, state: Int32Array): Worker | undefined {
  const threads = process.getBuiltinModule('node:worker_threads');
  if (!threads.isMainThread) return undefined;
  try {
    const watch = new threads.Worker(text, { eval: true, workerData: state, env: {}, execArgv: [] });
    watch.on('error', () => undefined).unref();
    return watch;
  } catch {
    return undefined;
  }
}
