import { basename, join } from 'node:path';

import { isObject, type Json } from '#schemas/types/json.ts';
import type { DirectoryEntry } from '#schemas/types/host.ts';
import { hasCode } from '#stdlib/files/has-code.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';

import { fitted } from './fitted-name.ts';
import { removeIfThere } from './remove-item.ts';
import type { Discarded, TrashCan, TrashEntry, TrashTools } from './trash-can.ts';

const FACTS = /^(\d{10,16}_[0-9a-f]{8})\.trashmeta\.json$/;
const CONTENT = /^(\d{10,16}_[0-9a-f]{8})__/;

/**
 * Content as `<id>__<base name>`, facts as `<id>.trashmeta.json` beside it; an id is `<milliseconds since 1970>_<8 hex
 * digits>`.
 */
export class OwnCan implements TrashCan {
  readonly workshop: string;
  readonly #tools: TrashTools;

  constructor(tools: TrashTools, can: string) {
    this.#tools = tools;
    this.workshop = can;
  }

  async prepare(): Promise<void> {
    await this.#tools.files.makeDirectory(this.workshop, { recursive: true });
  }

  async entries(): Promise<readonly TrashEntry[]> {
    const { files } = this.#tools;
    if ((await files.find(this.workshop)) === undefined) return [];
    const listed = await files.list(this.workshop);
    const contents = new Map(listed.flatMap((entry) => named(CONTENT, entry)));
    const ids = new Set([...listed.flatMap((entry) => named(FACTS, entry).map(([id]) => id)), ...contents.keys()]);
    const entries: TrashEntry[] = [];
    await inParallel([...ids], async (id) => void entries.push(await this.#entry(id, contents.get(id))));
    return entries;
  }

  *idsFor(): Iterable<string> {
    const { clock, random } = this.#tools;
    for (;;) yield `${Math.floor(clock.now())}_${Buffer.from(random.bytes(4)).toString('hex')}`;
  }

  async record(id: string, { original, is_dir }: Discarded): Promise<TrashEntry | undefined> {
    const { files, clock, signal } = this.#tools;
    const facts = { trash_id: id, original, trashed_at: clock.now() / 1000, is_dir };
    try {
      await files.write(this.#factsOf(id), `${JSON.stringify(facts)}\n`, {
        exclusive: true,
        durable: true,
        mode: 0o600,
        signal,
      });
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return undefined;
      throw error;
    }
    return { ...facts, path: join(this.workshop, `${id}__${fitted(basename(original), 255 - id.length - 2)}`) };
  }

  async hasContent(id: string): Promise<boolean> {
    return (await this.#tools.files.list(this.workshop)).some(({ name }) => name.startsWith(`${id}__`));
  }

  async forget(id: string): Promise<void> {
    await removeIfThere(this.#tools.files, this.#factsOf(id));
  }

  async changed(): Promise<void> {
    // Nothing beside the facts says what is in the can.
  }

  #factsOf(id: string): string {
    return join(this.workshop, `${id}.trashmeta.json`);
  }

  async #entry(id: string, content: DirectoryEntry | undefined): Promise<TrashEntry> {
    const place = { path: join(this.workshop, content?.name ?? `${id}__`), is_dir: content?.kind === 'directory' };
    const unknown = { trash_id: id, original: '', trashed_at: Number.parseInt(id, 10) / 1000, ...place };
    const facts = await this.#facts(id);
    if (facts === undefined) return { ...unknown, problem: 'its facts are missing or cannot be read' };
    const known = { ...unknown, ...facts };
    return content === undefined ? { ...known, problem: 'its content is missing' } : known;
  }

  async #facts(id: string): Promise<Pick<TrashEntry, 'original' | 'trashed_at'> | undefined> {
    try {
      const facts = JSON.parse(new TextDecoder().decode(await this.#tools.files.read(this.#factsOf(id)))) as Json;
      if (!isObject(facts)) return undefined;
      const { original, trashed_at } = facts;
      return typeof original === 'string' && original !== '' && typeof trashed_at === 'number'
        ? { original, trashed_at }
        : undefined;
    } catch {
      return undefined;
    }
  }
}

function named(form: RegExp, entry: DirectoryEntry): [string, DirectoryEntry][] {
  const id = form.exec(entry.name)?.[1];
  return id === undefined ? [] : [[id, entry]];
}
