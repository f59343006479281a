import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { SourceId } from '#schemas/types/place.ts';

import type { CompileContext } from './context.ts';
import { didYouMean } from './did-you-mean.ts';
import type { LoadedFile } from './load.ts';
import { findDependency, folderOf, sourceIdOf, STDIN } from './phases/4-resolve/files.ts';
import type { Resolution } from './phases/4-resolve/index.ts';
import { refusedAt } from './phases/4-resolve/refused.ts';
import type { OpenUsed, UsedFile } from './phases/4-resolve/resolved.ts';

/** Means of opening a file: it is read and resolved once, whoever uses it. */
export interface Opening {
  /** Paths of the files of the run, for those that are named by their stem. */
  readonly run: readonly string[];
  load(source: SourceId, path: string): Promise<LoadedFile>;
  /** `chain`: the files whose steps are being resolved, the outermost first. */
  resolve(file: LoadedFile, chain: readonly SourceId[]): Promise<Resolution | undefined>;
  /** Hears that one file uses another. */
  used(by: SourceId, source: SourceId): void;
}

/** The files that steps use, opened where the steps are met. */
export class UsedFiles {
  readonly #opening: Opening;
  readonly #context: CompileContext;

  constructor(opening: Opening, context: CompileContext) {
    this.#opening = opening;
    this.#context = context;
  }

  /** Opener of other files for the steps of one file. */
  from(chain: readonly SourceId[]): OpenUsed {
    return (name, at) => this.#open(name, at, chain);
  }

  async #open(name: string, at: Label, chain: readonly SourceId[]): Promise<UsedFile | undefined> {
    const path = await this.#find(name, at);
    if (path === undefined) return undefined;
    const source = sourceIdOf(path, this.#context.root);
    if (chain.includes(source)) {
      const circle = [...chain.slice(chain.indexOf(source)), source].map((each) => `"${each}"`).join(' → ');
      this.#context.report(d.fileUsesItself({ at, circle }));
      return undefined;
    }
    this.#opening.used(chain.at(-1) ?? source, source);
    const loaded = await this.#opening.load(source, path);
    const resolution = await this.#opening.resolve(loaded, [...chain, source]);
    if (resolution === undefined || !this.#canBeUsed(source, resolution, at)) return undefined;
    return { resolved: resolution.resolved, ...resolution.effects() };
  }

  #canBeUsed(source: SourceId, { resolved: { file } }: Resolution, at: Label): boolean {
    const reason = (['dataset', 'depends_on', 'matrix'] as const).find((key) => file.meta[key] !== undefined);
    if (reason === undefined) return true;
    const related = [{ source, route: ['meta', reason], part: 'key' as const }];
    this.#context.report(d.fileCannotBeUsed({ at, file: source, key: reason, related }));
    return false;
  }

  async #find(name: string, at: Label): Promise<string | undefined> {
    const { root, reader, report } = this.#context;
    const found = await findDependency(name, folderOf(at.source, this.#context), root, this.#opening.run, reader);
    switch (found.kind) {
      case 'found':
        return found.path;
      case 'refused':
        report(refusedAt(found.why, { at, path: name }));
        return undefined;
      case 'missing':
        report(usedFileMissing(name, didYouMean(name, found.stems)[0], at));
        return undefined;
      case 'several': {
        const paths = found.paths.map((each) => `"${sourceIdOf(each, root)}"`).join(', ');
        report(d.dependencyAmbiguous({ at, name, paths }));
        return undefined;
      }
    }
  }
}

function usedFileMissing(name: string, nearest: string | undefined, at: Label): Diagnostic {
  const write = { kind: 'replace', route: at.route, value: nearest ?? name } as const;
  const fixes: readonly Fix[] =
    nearest === undefined ? [] : [{ title: `write ${nearest}`, safety: 'unsafe', operations: [write] }];
  return d.usedFileMissing({ at, name, nearest, fixes });
}

/** Paths of the files of a run. */
export function pathsOf(files: Iterable<LoadedFile>): readonly string[] {
  return [...files].map(({ path }) => path).filter((path) => path !== STDIN);
}
