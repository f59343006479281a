import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { compile, MANIFEST, programs, type Emitted } from '#compiler/api.ts';
import type { LinkCache } from '#compiler/phases/7-emit/link.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';

import { root as packageFolder } from '../built.ts';

export interface MadePrograms {
  /** The project's folder; programs stand in `dist` below it. */
  readonly folder: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Programs with their texts. */
  readonly emitted: readonly MadeProgram[];
  readonly manifest: string;
}

export interface MadeProgram extends Omit<Emitted, 'program'> {
  readonly program: string;
}

export interface Making {
  readonly minify?: boolean;
  readonly debug?: boolean;
  readonly reporters?: readonly string[];
  readonly cache?: LinkCache;
  readonly packageFolder?: string;
  readonly out?: string;
}

/** A temporary folder that holds these files; `.git` makes it a project root. */
export function projectOf(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'svc-emit-')));
  mkdirSync(path.join(folder, '.git'));
  for (const [name, text] of Object.entries(files)) write(path.join(folder, name), text);
  return folder;
}

/** Compiles action files of a project and writes their programs. */
export async function makePrograms(
  folder: string,
  sources: readonly string[],
  making: Making = {},
): Promise<MadePrograms> {
  const host = nodeHost();
  const out = path.resolve(folder, making.out ?? 'dist');
  const compilation = await compile(
    sources.map((source) => ({ path: path.resolve(folder, source) })),
    { root: folder },
    host,
  );
  const made = await programs(
    compilation,
    { settings: { gates: { shell: true } }, packageFolder, ...making, out },
    host,
  );
  const emitted: MadeProgram[] = [];
  for await (const one of made.emitted) emitted.push({ ...one, program: new TextDecoder().decode(one.program) });
  for (const { outputs, program, map, plan } of emitted) {
    write(path.join(out, outputs.program), program);
    write(path.join(out, outputs.map), map);
    write(path.join(out, outputs.plan), plan);
  }
  const manifest = made.manifest(emitted);
  write(path.join(out, MANIFEST), manifest);
  return { folder, diagnostics: [...compilation.diagnostics, ...made.diagnostics], emitted, manifest };
}

export function removeProject(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
