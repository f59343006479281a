import { readFile, writeFile } from 'node:fs/promises';

/** Whether goldens are written anew instead of compared. */
export const isUpdate = process.env['UPDATE'] === '1';

/** Lines `KEY: names` of a golden, by their key and in order. */
export async function readTable(golden: URL): Promise<Map<string, string>> {
  const lines = (await readFile(golden, 'utf8')).split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]));
}

/** Writes the golden when goldens are to be written: keys keep their places, new ones stand at the end. */
export async function writeTable(golden: URL, table: ReadonlyMap<string, string>): Promise<void> {
  if (isUpdate) await writeFile(golden, [...table].map(([key, names]) => `${key}: ${names}\n`).join(''));
}
