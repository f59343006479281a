import { sep } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';

export type IndexProgram = 'mdfind' | 'plocate' | 'locate' | 'es';

interface Indexer {
  readonly program: IndexProgram;
  args(root: string, pattern: string): readonly string[];
  /** Sign between the paths that it prints. */
  readonly separator: '\0' | '\n';
}

const mdfind: Indexer = {
  program: 'mdfind',
  args: (root, pattern) => ['-0', '-onlyin', root, `kMDItemFSName == "${pattern.replace(/["\\]/g, '\\$&')}"c`],
  separator: '\0',
};
const located = (program: 'plocate' | 'locate'): Indexer => ({
  program,
  args: (_root, pattern) => ['-0', '-i', '-b', '--', pattern.replaceAll('\\', '\\\\')],
  separator: '\0',
});
const es: Indexer = { program: 'es', args: (root, pattern) => ['-path', root, pattern], separator: '\n' };

const indexers: readonly Indexer[] = sep === '\\' ? [es] : [mdfind, located('plocate'), located('locate')];

const TIME_LIMIT_MS = 15_000;
const LONGEST_ANSWER = 64 * 1024 * 1024;

/**
 * Paths below a folder, from there, that the first index of the operating system which answers knows. Empty
 * where there is no index, and where it fails: then the caller looks for itself. Nothing of the answer is
 * certain.
 */
export async function askIndex(
  { processes, signal }: Pick<Base, 'signal'> & Pick<Ports, 'processes'>,
  root: string,
  pattern: string,
): Promise<readonly string[]> {
  for (const indexer of indexers) {
    const answer = await ask(processes, indexer, { root, pattern, signal });
    signal.throwIfAborted();
    if (answer !== undefined) return below(root, answer.split(indexer.separator));
  }
  return [];
}

/** The first index program that is installed; null: there is none. Says nothing of what it knows. */
export function installedIndex({ processes }: Pick<Ports, 'processes'>): Promise<IndexProgram | null> {
  return Promise.resolve(indexers.find(({ program }) => processes.find([program]) !== undefined)?.program ?? null);
}

interface Question {
  readonly root: string;
  readonly pattern: string;
  readonly signal: AbortSignal;
}

async function ask(
  processes: Ports['processes'],
  { program, args }: Indexer,
  { root, pattern, signal }: Question,
): Promise<string | undefined> {
  try {
    const path = processes.find([program]);
    if (path === undefined) return undefined;
    const { code, stdout, timed_out } = await processes.run(path, args(root, pattern), {
      timeout_ms: TIME_LIMIT_MS,
      limit: LONGEST_ANSWER,
      signal,
    });
    const isWhole = stdout.length < LONGEST_ANSWER && !timed_out && (code === 0 || code === 1);
    return isWhole ? new TextDecoder('utf-8', { fatal: true }).decode(stdout) : undefined;
  } catch {
    // It was put there by a step, or says names that are no text: the scan knows better.
    return undefined;
  }
}

function below(root: string, paths: readonly string[]): readonly string[] {
  const start = root.endsWith(sep) ? root : root + sep;
  return paths
    .map((path) => path.replace(/\r$/, ''))
    .filter((path) => path.startsWith(start) && path.length > start.length)
    .map((path) => path.slice(start.length).split(sep).join('/'));
}
