import { availableParallelism } from 'node:os';

const GIB = 2 ** 30;
/** Memory of the process that hands out files (bytes). */
const RUNNER = 0.5 * GIB;
/** Memory of a worker at its largest, with a browser or a server that it starts (bytes). */
const WORKER = 1.5 * GIB;

/**
 * Number of worker processes: one more than there are processors, since many tests wait for others; fewer where memory
 * is short. With two more, tests that watch the time fail now and then, and nothing is done earlier.
 */
export function workerCount(
  processors: number = availableParallelism(),
  memory: number = process.availableMemory(),
): number {
  return Math.max(1, Math.min(processors + 1, Math.floor((memory - RUNNER) / WORKER)));
}
