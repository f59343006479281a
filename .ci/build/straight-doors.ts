import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const BARE = /import\s*"\.\/[^"]+\.js";?/g;
const PASSES_ON = /^\s*import\s*\{([\w$,\s]+)\}\s*from\s*"(\.\/[^"]+\.js)";?\s*export\s*\{([\w$,\s]+)\};?\s*$/;
const LAZY = /\bimport\("((?:\.\.?\/)+[^"]+\.js)"\)/g;

/**
 * Takes from doors what only decided where sources stand: imports of rooms without a name, some thirty in each of
 * hundreds of doors, which Node would look up one by one. A door that then passes on names of one chunk goes, and
 * whoever opened it loads the chunk. Sources of rooms have no effects of their own, so nothing misses those imports.
 */
export async function straightenDoors(
  outdir: string,
  files: readonly string[],
  doors: ReadonlySet<string>,
): Promise<readonly string[]> {
  const texts = new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(path.join(outdir, file), 'utf8')] as const)),
  );
  const behind = new Map<string, string>();
  for (const door of doors) {
    const text = (texts.get(door) ?? '').replaceAll(BARE, '');
    texts.set(door, text);
    const chunk = chunkBehind(text);
    if (chunk !== undefined) behind.set(door, path.posix.join(path.posix.dirname(door), chunk));
  }
  const kept = files.filter((file) => !behind.has(file));
  await Promise.all(
    kept.map((file) => writeFile(path.join(outdir, file), withoutDoors(texts.get(file) ?? '', file, behind))),
  );
  await Promise.all([...behind.keys()].map((file) => rm(path.join(outdir, file))));
  return kept;
}

/** The one chunk whose names a door passes on as they are. */
function chunkBehind(text: string): string | undefined {
  const [, taken, chunk, given] = PASSES_ON.exec(text) ?? [];
  return taken !== undefined && given !== undefined && namesOf(taken) === namesOf(given) ? chunk : undefined;
}

function namesOf(list: string): string {
  return list
    .split(',')
    .map((name) => name.trim().replaceAll(/\s+/g, ' '))
    .sort()
    .join();
}

function withoutDoors(text: string, file: string, behind: ReadonlyMap<string, string>): string {
  const folder = path.posix.dirname(file);
  return text.replaceAll(LAZY, (whole, specifier: string) => {
    const chunk = behind.get(path.posix.join(folder, specifier));
    if (chunk === undefined) return whole;
    const relative = path.posix.relative(folder, chunk);
    return `import(${JSON.stringify(relative.startsWith('.') ? relative : `./${relative}`)})`;
  });
}
