import { readdir, readFile } from 'node:fs/promises';

/**
 * The processes of this machine that run and hold a text in their arguments. Those that have ended and were not yet
 * noticed are none.
 */
export async function processesHolding(mark: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
    if (line.includes(mark)) found.push(`${pid} ${line.replaceAll('\0', ' ')}`);
  }
  return found;
}
