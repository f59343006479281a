import { asFailure } from '#runtime/kernel/as-failure.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { FileCopy, Files } from '#schemas/types/host.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';
import { entryAt } from '#stdlib/files/kind.ts';

import type { Trees } from './plan-tree.ts';
import {
  below,
  isFile,
  parentOf,
  type At,
  type FolderPlan,
  type LinkPlan,
  type Removal,
  type TreePlan,
  type UpdatePlan,
} from './tree-plan.ts';

export interface CarryTools extends Trees {
  /** Roots of both trees, links resolved. */
  readonly real: { readonly from: string; readonly to: string };
  readonly files: Files;
  readonly signal: AbortSignal;
  readonly durable: boolean;
  /** Told of the size of each file that was copied. */
  readonly onBytes: (bytes: number) => void;
}

/** Changes that were really made; names in the order of the plan. */
export interface Done {
  readonly copied: string[];
  readonly deleted: string[];
  readonly updated: string[];
  readonly foldersMade: string[];
  readonly foldersRemoved: string[];
  readonly errors: [name: string, message: string][];
}

/** Does what a plan says. Files that fail are told and left as they were; the rest goes on. */
export async function carryOut(tools: CarryTools, plan: TreePlan): Promise<Done> {
  const work = new Work(tools, plan);
  await work.run();
  return work.done;
}

class Work {
  readonly done: Done;
  readonly #tools: CarryTools;
  readonly #plan: TreePlan;
  /** Names that failed: what is below a folder that could not be made is left out without a word. */
  readonly #failed = new Set<string>();
  /** Folders that still hold what could not be removed. */
  readonly #stuck: Set<string>;
  readonly #made = new Set<string>();
  /** Folders whose content changes, and with it their times. */
  readonly #touched: ReadonlySet<string>;

  constructor(tools: CarryTools, plan: TreePlan) {
    this.#tools = tools;
    this.#plan = plan;
    this.#stuck = new Set(plan.stuck);
    this.done = { copied: [], deleted: [], updated: [], foldersMade: [], foldersRemoved: [], errors: [...plan.errors] };
    const moving = [
      plan.copies,
      plan.links,
      plan.removals,
      plan.folders.filter(({ there }) => there?.kind !== 'directory'),
    ].flatMap((entries) => entries.map(({ name }) => parentOf(name)));
    this.#touched = new Set([...moving, ...plan.unswept]);
  }

  async run(): Promise<void> {
    const plan = this.#plan;
    for (const folder of plan.folders) if (this.#touched.has(folder.name)) await this.#open(folder);
    for (const folder of plan.unswept) await this.#tools.files.sweep(this.#at(folder));
    await this.#remove(plan.removals);
    const levels = levelsOf(plan.folders);
    for (const level of levels) await this.#each(level, (folder) => this.#makeFolder(folder));
    await this.#copy(plan.copies);
    await this.#each(plan.links, (link) => this.#link(link));
    await inParallel(plan.updates, (update) => this.#update(update));
    for (const level of levels.toReversed()) await inParallel(level, (folder) => this.#finishFolder(folder));
  }

  /** A few at a time; those that could be one in the target, one after the other. */
  async #each<Item extends { readonly name: string }>(
    items: readonly Item[],
    work: (item: Item) => Promise<void>,
  ): Promise<void> {
    const { doubtful } = this.#plan;
    await inParallel(
      items.filter(({ name }) => !doubtful.has(name)),
      work,
    );
    if (doubtful.size > 0) for (const item of items.filter(({ name }) => doubtful.has(name))) await work(item);
  }

  #at(name: string): string {
    return name === '' ? this.#tools.target : below(this.#tools.target, name);
  }

  async #try(name: string, work: () => Promise<void>): Promise<boolean> {
    this.#tools.signal.throwIfAborted();
    try {
      await work();
      return true;
    } catch (error) {
      this.#tools.signal.throwIfAborted();
      this.#report(name, error);
      return false;
    }
  }

  #report(name: string, error: unknown): void {
    this.#failed.add(name);
    this.done.errors.push([name, asFailure(error, 'FA_sync_dir').message]);
  }

  /** Gives its owner the right to change what is in a folder; its own bits come back at the end. */
  async #open({ name, there }: FolderPlan): Promise<void> {
    if (there?.kind !== 'directory' || (there.mode & 0o700) === 0o700) return;
    // A refusal is told by the call that needs it.
    await this.#tools.files.setMode(this.#at(name), (there.mode & 0o7777) | 0o700).catch(() => undefined);
  }

  async #remove(removals: readonly Removal[]): Promise<void> {
    const { files } = this.#tools;
    for (const { name, folderMode = 0o700 } of removals) {
      if ((folderMode & 0o700) !== 0o700)
        await this.#try(name, () => files.setMode(this.#at(name), folderMode | 0o700));
    }
    await inParallel(removals.filter(isFile), async ({ name }) => {
      if (await this.#try(name, () => files.remove(this.#at(name)))) this.done.deleted.push(name);
      else this.#stuck.add(parentOf(name));
    });
    for (const { name } of removals.filter((removal) => !isFile(removal))) {
      if (!this.#stuck.has(name) && (await this.#try(name, () => files.remove(this.#at(name)))))
        this.done.foldersRemoved.push(name);
      else this.#stuck.add(parentOf(name));
    }
  }

  #isLost(name: string): boolean {
    return name !== '' && this.#failed.has(parentOf(name));
  }

  async #makeFolder({ name, stat, there }: FolderPlan): Promise<void> {
    if (there?.kind === 'directory') return;
    if (this.#isLost(name)) return void this.#failed.add(name);
    const made = await this.#try(name, async () => {
      if (there !== undefined) await this.#tools.files.remove(this.#at(name));
      await this.#refuseDouble(name);
      await this.#tools.files.makeDirectory(this.#at(name), { recursive: name === '' });
      // A private folder is private before anything is in it; the other bits come at the end.
      if ((stat.mode & 0o055) !== 0o055) await this.#tools.files.setMode(this.#at(name), (stat.mode & 0o7777) | 0o700);
    });
    if (!made) return;
    this.#made.add(name);
    this.done.foldersMade.push(name);
  }

  /** Fails where a name that the target did not show is there all the same: it is the name of something else. */
  async #refuseDouble(name: string): Promise<void> {
    if (!this.#plan.doubtful.has(name)) return;
    if ((await entryAt(this.#tools.files, this.#at(name))) !== undefined)
      throw fail.syncNamesCollide({ path: this.#at(name) });
  }

  async #copy(copies: readonly At[]): Promise<void> {
    const { doubtful } = this.#plan;
    const ready = this.#failed.size === 0 ? copies : copies.filter(({ name }) => !this.#isLost(name));
    await this.#copyAll(doubtful.size === 0 ? ready : ready.filter(({ name }) => !doubtful.has(name)));
    for (const copy of doubtful.size === 0 ? [] : ready.filter(({ name }) => doubtful.has(name))) {
      if (await this.#try(copy.name, () => this.#refuseDouble(copy.name))) await this.#copyAll([copy]);
    }
  }

  async #copyAll(copies: readonly At[]): Promise<void> {
    const { files, source, real, durable, signal, onBytes } = this.#tools;
    const jobs: FileCopy[] = copies.map(({ name, stat }) => ({
      from: below(source, name),
      to: this.#at(name),
      seen: stat,
      real: { from: below(real.from, name), to: below(real.to, name) },
    }));
    const outcomes = await files.copyMany(jobs, { durable, signal, onBytes });
    for (const [index, { name }] of copies.entries()) {
      const outcome = outcomes[index];
      if (outcome === 'copied') this.done.copied.push(name);
      else this.#report(name, outcome === 'changed' ? fail.syncFileChanged({ path: below(source, name) }) : outcome);
    }
  }

  /** A link appears whole too, over what was there. */
  async #link({ name, text }: LinkPlan): Promise<void> {
    if (this.#isLost(name)) return;
    const { files } = this.#tools;
    const linked = await this.#try(name, async () => {
      await this.#refuseDouble(name);
      const temporary = files.temporaryBeside(this.#at(name));
      await files.link(text, temporary);
      await files.rename(temporary, this.#at(name)).catch(async (error: unknown) => {
        await files.remove(temporary);
        throw error;
      });
    });
    if (linked) this.done.copied.push(name);
  }

  async #update({ name, stat, there }: UpdatePlan): Promise<void> {
    const updated = await this.#try(name, async () => {
      if (stat.mode !== there.mode) await this.#tools.files.setMode(this.#at(name), stat.mode & 0o7777);
      await this.#tools.files.setTimes(this.#at(name), there.atime_ms, stat.mtime_ms);
    });
    if (updated) this.done.updated.push(name);
  }

  /**
   * A folder's times change while it is filled, and its bits may forbid to fill it: both come last, the deepest folder
   * first.
   */
  async #finishFolder({ name, stat, there, differs }: FolderPlan): Promise<void> {
    const isNew = there?.kind !== 'directory';
    if ((!isNew && !differs && !this.#touched.has(name)) || (isNew && !this.#made.has(name))) return;
    const finished = await this.#try(name, async () => {
      await this.#tools.files.setMode(this.#at(name), stat.mode & 0o7777);
      await this.#tools.files.setTimes(this.#at(name), stat.atime_ms, stat.mtime_ms);
    });
    if (finished && differs) this.done.updated.push(name);
  }
}

/** Folders of one depth together, the root first. */
function levelsOf(folders: readonly FolderPlan[]): readonly (readonly FolderPlan[])[] {
  const levels: FolderPlan[][] = [];
  for (const folder of folders) {
    const depth = folder.name === '' ? 0 : folder.name.split('/').length;
    (levels[depth] ??= []).push(folder);
  }
  return levels;
}
