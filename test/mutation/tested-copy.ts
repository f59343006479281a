import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { copyOfProject, type Copy } from './copy.ts';
import { Judge, type Failed, type Order } from './passes.ts';
import type { Placed } from './sample.ts';
import { sharedBelow } from './switch.ts';
import { withSwitches } from './switches.ts';

/** Sample of changes, and the modules in which they stand: numbers behind those of changes are probes of modules. */
export interface Sample {
  readonly root: string;
  readonly changes: readonly Placed[];
  readonly modules: readonly string[];
}

/** A copy of the project with all changes of a sample in it, each behind a switch, and what runs tests there. */
export class TestedCopy {
  readonly #copy: Copy;
  readonly #judge: Judge;

  private constructor(copy: Copy, signal: AbortSignal) {
    this.#copy = copy;
    this.#judge = new Judge({ folder: copy.folder, signal });
  }

  /** Makes `dist/` of the copy too, once, with all switches in it: tests of the built package meet changes too. */
  static async of(sample: Sample, signal: AbortSignal): Promise<TestedCopy> {
    const copy = copyOfProject(sample.root);
    const made = new TestedCopy(copy, signal);
    try {
      for (const [index, file] of sample.modules.entries()) addSwitches(copy.folder, file, sample, index);
      const build = ['--conditions=source', '.ci/build/main.ts', '--without-types'];
      await promisify(execFile)(process.execPath, build, { cwd: copy.folder, signal });
      return made;
    } catch (error) {
      made.end();
      throw error;
    }
  }

  /** Runs all tests of these files as they are; each tells in the file `told` which changes it meets. */
  async learn(files: readonly string[], told: string, seconds: number): Promise<readonly Failed[]> {
    const { told: place } = sharedBelow(this.#copy.folder);
    writeFileSync(place, told);
    const failed = await this.#judge.failed({ files }, seconds);
    rmSync(place, { force: true });
    return failed;
  }

  /** Runs tests with one change, or with none; the first that fails ends it. */
  async failed(order: Order, seconds: number, change?: number): Promise<readonly Failed[]> {
    const { chosen, asked } = sharedBelow(this.#copy.folder);
    if (change !== undefined) writeFileSync(chosen, String(change));
    const failed = await this.#judge.failed({ ...order, untilFirst: true }, seconds);
    for (const file of [chosen, asked]) rmSync(file, { force: true });
    return failed;
  }

  end(): void {
    this.#judge.end();
    this.#copy.remove();
  }
}

function addSwitches(folder: string, file: string, { root, changes }: Sample, index: number): void {
  const mutants = changes.map((mutant, number) => ({ ...mutant, number })).filter((mutant) => mutant.file === file);
  const setUp = path.join(folder, 'test/mutation/set-up.ts');
  if (!existsSync(setUp))
    writeFileSync(setUp, `import { setUp } from './switch.ts';\nsetUp(${JSON.stringify(folder)});\n`);
  const atLoad = mutants.some(({ isAtLoad }) => isAtLoad);
  const text = withSwitches(
    readFileSync(path.join(root, file), 'utf8'),
    mutants,
    atLoad ? changes.length + index : undefined,
  );
  writeFileSync(path.join(folder, file), `import ${JSON.stringify(setUp)}; ${text}`);
}
