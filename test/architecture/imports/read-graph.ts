import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

import { parseSync, Visitor } from 'vite';

/** One import of one file; type-only ones and `import('…')` count like others. */
export interface Import {
  readonly from: string;
  readonly specifier: string;
  readonly target: Target;
  readonly isDynamic: boolean;
  readonly isType: boolean;
}

export type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'missing'; readonly path: string };

const folders = ['schemas', 'grammar', 'compiler', 'runtime', 'stdlib', 'test', '.ci', 'examples'];
const root = path.resolve(import.meta.dirname, '../../..');

/** Every TypeScript source of the project, by its path from the root, with `/`. */
export function sourceFiles(): readonly string[] {
  return folders
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
        .filter((name) => name.endsWith('.ts') && !/(^|\/)(node_modules|_actual|expected)\//.test(name)),
    )
    .toSorted();
}

/** The text of a file by its path from the root. */
export function readSource(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** All imports of all sources. */
export function readGraph(): readonly Import[] {
  return sourceFiles().flatMap((file) => importsOf(file, readSource(file)));
}

/** The imports of one text, as if it stood at `file`. */
export function importsOf(file: string, text: string): readonly Import[] {
  const { module, errors, program } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message ?? ''}`);
  const found = [
    ...module.staticImports.map((item) => ({
      specifier: item.moduleRequest.value,
      isDynamic: false,
      isType: item.entries.length > 0 && item.entries.every((entry) => entry.isType),
    })),
    ...module.staticExports
      .flatMap((item) => item.entries)
      .flatMap((entry) =>
        entry.moduleRequest ? [{ specifier: entry.moduleRequest.value, isDynamic: false, isType: entry.isType }] : [],
      ),
    ...module.dynamicImports.map((item) => ({
      specifier: literal(text.slice(item.moduleRequest.start, item.moduleRequest.end)),
      isDynamic: true,
      isType: false,
    })),
    ...(text.includes('import(') ? typeImports(program) : []),
  ];
  return found.flatMap((item) =>
    item.specifier === undefined
      ? []
      : [{ from: file, ...item, specifier: item.specifier, target: resolve(file, item.specifier) }],
  );
}

/** The text of a string literal; undefined for an expression, which names no file that could be checked. */
function literal(expression: string): string | undefined {
  return /^(['"])(.*)\1$/.exec(expression)?.[2];
}

/** `import('…').Name` in a type. */
function typeImports(
  program: Parameters<Visitor['visit']>[0],
): { specifier: string; isDynamic: boolean; isType: boolean }[] {
  const found: { specifier: string; isDynamic: boolean; isType: boolean }[] = [];
  new Visitor({
    TSImportType(node) {
      found.push({ specifier: node.source.value, isDynamic: false, isType: true });
    },
  }).visit(program);
  return found;
}

function resolve(from: string, specifier: string): Target {
  if (isBuiltin(specifier)) return { kind: 'builtin', name: specifier.replace(/^node:/, '') };
  const local = specifier.startsWith('#')
    ? specifier.slice(1)
    : specifier.startsWith('.')
      ? path.posix.join(path.posix.dirname(from), specifier)
      : undefined;
  if (local === undefined)
    return {
      kind: 'package',
      name: specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    };
  return existsSync(path.join(root, local)) ? { kind: 'file', path: local } : { kind: 'missing', path: local };
}
