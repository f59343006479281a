import type { SourceId } from '#schemas/types/place.ts';

/** A source with its path on disk, `/` on every platform; paths of one compilation are all absolute or all relative. */
export interface SourceFile {
  readonly source: SourceId;
  readonly path: string;
}

/** Paths of one program's files, relative to the output folder, with `/`. */
export interface Outputs {
  readonly source: SourceId;
  readonly program: string;
  readonly map: string;
  readonly plan: string;
}

/** Two files of one compilation that would be the same. */
export interface Collision {
  readonly output: string;
  readonly first: SourceId;
  readonly second: SourceId;
}

/**
 * Mirrors the paths of sources below their deepest common folder: `shop/a.yaml` and `shop/b/c.json` become `a.mjs` and
 * `b/c.mjs`; one source becomes its own name; standard input becomes `stdin.mjs`. Sources keep their order. Names are
 * compared as a file system without case would, so that what is compiled here can be unpacked anywhere.
 */
export function placeOutputs(files: readonly SourceFile[]): {
  readonly outputs: readonly Outputs[];
  readonly collisions: readonly Collision[];
} {
  const depth = commonDepth(
    files.filter(({ source }) => source !== '<stdin>').map(({ path }) => path.split('/').slice(0, -1)),
  );
  const outputs = files.map((file) => outputsOf(file, depth));
  const taken = new Map<string, SourceId>();
  const collisions: Collision[] = [];
  for (const { source, program } of outputs) {
    const key = program.toLowerCase().normalize('NFC');
    const first = taken.get(key);
    if (first === undefined) taken.set(key, source);
    else collisions.push({ output: program, first, second: source });
  }
  return { outputs, collisions };
}

function outputsOf({ source, path }: SourceFile, depth: number): Outputs {
  const own =
    source === '<stdin>'
      ? 'stdin'
      : path
          .split('/')
          .slice(depth)
          .join('/')
          .replace(/\.(ya?ml|json)$/i, '');
  return { source, program: `${own}.mjs`, map: `${own}.mjs.map`, plan: `${own}.plan.json` };
}

/** Number of leading folders that all paths share. */
function commonDepth(folders: readonly (readonly string[])[]): number {
  const [first = [], ...others] = folders;
  return others.reduce((depth, folder) => {
    const differs = first.findIndex((segment, index) => folder[index] !== segment);
    return Math.min(depth, differs < 0 ? first.length : differs);
  }, first.length);
}
