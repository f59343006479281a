import { asFailure } from '#runtime/kernel/as-failure.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files, FileStat, SurveyedEntry } from '#schemas/types/host.ts';
import { byName } from '#stdlib/files/walk.ts';

import { colliding } from './colliding.ts';
import { removalsOf, type RemovalTools } from './plan-removal.ts';
import { hasSameAttributes, isSameTime } from './same-attributes.ts';
import type { Selection } from './selection.ts';
import { below, emptyPlan, parentOf, type TreePlan } from './tree-plan.ts';

export interface Trees {
  /** Absolute. */
  readonly source: string;
  readonly target: string;
}

export interface PlanTools extends Trees {
  readonly files: Files;
  readonly signal: AbortSignal;
  /** Rule by which a file whose size is right is judged unchanged. */
  readonly compare: 'size_mtime' | 'checksum';
  readonly deletes: boolean;
  readonly selection: Selection;
}

/**
 * Compares two trees, folder by folder, and says what makes the target like the source. Changes nothing, and enters no
 * link.
 */
export async function planTree(
  tools: PlanTools,
  roots: { readonly source: FileStat; readonly target: FileStat | undefined },
): Promise<TreePlan> {
  const planner = new Planner(tools);
  planner.addFolder('', roots.source, roots.target);
  await planner.run();
  planner.leaveFoldersOut();
  return planner.plan;
}

/** Folders wait in a list of their own: a tree may be deeper than calls can nest. */
class Planner {
  readonly plan = emptyPlan();
  readonly #tools: PlanTools;
  readonly #removal: RemovalTools;
  readonly #waiting: { readonly name: string; readonly isNew: boolean }[] = [];

  constructor(tools: PlanTools) {
    this.#tools = tools;
    this.#removal = {
      files: tools.files,
      signal: tools.signal,
      target: tools.target,
      selection: tools.selection,
      plan: this.plan,
    };
  }

  addFolder(name: string, stat: FileStat, there: FileStat | undefined): void {
    const isThere = there?.kind === 'directory';
    this.plan.folders.push({ name, stat, there, differs: isThere && !hasSameAttributes(stat, there) });
    this.#waiting.push({ name, isNew: !isThere });
  }

  async run(): Promise<void> {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      this.#tools.signal.throwIfAborted();
      const first = this.#waiting.length;
      await this.#visit(next.name, next.isNew);
      // The folder that was found first is taken first, so that results are sorted within each folder.
      for (const found of this.#waiting.splice(first).reverse()) this.#waiting.push(found);
    }
  }

  /** Leaves folders alone that are not selected themselves and hold nothing that is. */
  leaveFoldersOut(): void {
    const { folders, copies, links, skipped } = this.plan;
    const { selection } = this.#tools;
    const used = new Set(['']);
    const whole = folders.filter(({ name }) => selection.takesWhole(name));
    if (whole.length === folders.length) return;
    for (const name of [...[...copies, ...links, ...whole].map((entry) => entry.name), ...skipped])
      for (let folder = parentOf(name); !used.has(folder); folder = parentOf(folder)) used.add(folder);
    const kept = folders.filter(({ name }) => used.has(name) || selection.takesWhole(name));
    folders.splice(0, folders.length, ...kept);
  }

  async #visit(folder: string, isNew: boolean): Promise<void> {
    const { source, target, selection } = this.#tools;
    const takes = (name: string, { kind }: FileStat): boolean =>
      selection.takes(below(folder, name), kind === 'directory');
    const entries = await this.#survey(source, folder);
    if (entries === undefined) {
      this.plan.isWhole = false;
      return;
    }
    const present = isNew ? [] : await this.#survey(target, folder);
    if (present === undefined) return;
    const there = this.#present(folder, present);
    const names = entries.filter(({ name, stat }) => !this.#isTemporary(name) && takes(name, stat)).sort(byName);
    if (names.some(({ name }) => !there.has(name))) this.#doubt(folder, colliding(names), there);
    for (const entry of names) {
      const name = below(folder, entry.name);
      const stat = there.get(entry.name);
      there.delete(entry.name);
      // Most entries are settled by what is known of them: a promise for each would take longer than all the rest.
      const settling = this.#decide(name, entry.stat, stat);
      if (settling !== undefined) await settling.catch((error: unknown) => this.#report(name, error));
    }
    if (!this.#tools.deletes) return;
    for (const [name, stat] of [...there].sort(([one], [other]) => byName({ name: one }, { name: other })))
      if (takes(name, stat)) await this.#remove(below(folder, name), stat);
  }

  #doubt(folder: string, names: readonly string[], there: ReadonlyMap<string, FileStat>): void {
    for (const name of names) if (!there.has(name)) this.plan.doubtful.add(below(folder, name));
  }

  async #survey(root: string, folder: string): Promise<readonly SurveyedEntry[] | undefined> {
    try {
      return await this.#tools.files.survey(folder === '' ? root : below(root, folder), this.#tools.signal);
    } catch (error) {
      if (folder === '') throw error;
      this.#report(folder, error);
      return undefined;
    }
  }

  /** Whether a name is a writer's temporary file, perhaps left by one that was killed: never a part of a tree. */
  #isTemporary(name: string): boolean {
    return name.startsWith('.') && this.#tools.files.isTemporary(name);
  }

  /** Entries of the target in a folder, by name. */
  #present(folder: string, entries: readonly SurveyedEntry[]): Map<string, FileStat> {
    const there = new Map<string, FileStat>();
    for (const { name, stat } of entries) {
      if (this.#isTemporary(name)) {
        this.plan.unswept.add(folder);
        continue;
      }
      there.set(name, stat);
      if (stat.kind !== 'directory' && this.#tools.selection.takes(below(folder, name), false)) this.plan.held += 1;
    }
    return there;
  }

  #decide(name: string, stat: FileStat, there: FileStat | undefined): Promise<void> | undefined {
    switch (stat.kind) {
      case 'directory':
        if (this.#mayReplace(name, there)) this.addFolder(name, stat, there);
        else this.#report(name, fail.notAFolder({ path: below(this.#tools.target, name) }));
        return undefined;
      case 'file':
        return this.#decideFile(name, stat, there);
      case 'symlink':
        return this.#decideLink(name, there);
      case 'fifo':
      case 'socket':
      case 'device':
        this.#report(name, fail.specialFile({ path: below(this.#tools.source, name) }));
        return undefined;
      default:
        return stat.kind satisfies never;
    }
  }

  /** Whether a folder may take the place of what the target has. */
  #mayReplace(name: string, there: FileStat | undefined): boolean {
    return there === undefined || there.kind === 'directory' || this.#tools.selection.takes(name, false);
  }

  #decideFile(name: string, stat: FileStat, there: FileStat | undefined): Promise<void> | undefined {
    if (there?.kind === 'directory')
      return this.#makeRoom(name, there).then(() => void this.plan.copies.push({ name, stat }));
    if (there?.kind !== 'file' || there.size !== stat.size) {
      this.plan.copies.push({ name, stat });
      return undefined;
    }
    if (this.#tools.compare === 'checksum') return this.#compareContent(name, stat, there);
    this.#settle(name, stat, there, isSameTime(stat, there));
    return undefined;
  }

  async #compareContent(name: string, stat: FileStat, there: FileStat): Promise<void> {
    const { files, source, target, signal } = this.#tools;
    this.#settle(name, stat, there, await files.sameContent(below(source, name), below(target, name), signal));
  }

  #settle(name: string, stat: FileStat, there: FileStat, isUnchanged: boolean): void {
    if (!isUnchanged) return void this.plan.copies.push({ name, stat });
    this.plan.skipped.push(name);
    if (!hasSameAttributes(stat, there)) this.plan.updates.push({ name, stat, there });
  }

  async #decideLink(name: string, there: FileStat | undefined): Promise<void> {
    const { files, source, target } = this.#tools;
    const text = await files.readLink(below(source, name));
    if (there?.kind === 'symlink' && (await files.readLink(below(target, name))) === text) {
      this.plan.skipped.push(name);
      return;
    }
    if (there?.kind === 'directory') await this.#makeRoom(name, there);
    this.plan.links.push({ name, text });
  }

  /** A folder in the place of something else goes with its content only where deleting was asked for. */
  async #makeRoom(name: string, stat: FileStat): Promise<void> {
    const { files, target, deletes } = this.#tools;
    const inTheWay = (): Error => fail.syncFolderInTheWay({ path: below(target, name) });
    if (!deletes && (await files.list(below(target, name))).length > 0) throw inTheWay();
    const removals = await removalsOf(this.#removal, { name, stat });
    if (removals.at(-1)?.name !== name) throw inTheWay();
    for (const removal of removals) this.plan.removals.push(removal);
  }

  async #remove(name: string, stat: FileStat): Promise<void> {
    for (const removal of await removalsOf(this.#removal, { name, stat })) this.plan.removals.push(removal);
  }

  #report(name: string, error: unknown): void {
    this.#tools.signal.throwIfAborted();
    this.plan.errors.push([name, asFailure(error, 'FA_sync_dir').message]);
  }
}
