import { check, type Compilation } from '#compiler/api.ts';
import { openCatalogue } from '#compiler/catalogue.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';

const catalogue = openCatalogue();

/** Checks one file that a stranger wrote. */
export function checkText(content: string, name = 'a.yaml'): Promise<Compilation> {
  return check([{ path: `/work/${name}`, content }], { root: '/work', catalogue }, memoryHost({ cwd: '/work' }));
}

/** The slugs of what is wrong with a file, each once. */
export async function slugsOf(content: string, name?: string): Promise<readonly string[]> {
  const { diagnostics } = await checkText(content, name);
  return [...new Set(diagnostics.map(({ slug }) => slug))];
}

/** Processor time (ms) that something takes: other work on the machine does not count. */
export async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
