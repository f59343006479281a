import { join } from 'node:path';

import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import { openFileLocks } from '#runtime/services/file-locks/service.ts';
import { isGone, ownIdentity } from '#runtime/services/file-locks/process-identity.ts';

import type { HeldUpload, LeftAtPlace, PartRemoval, UploadKey, Uploads } from './port.ts';
import { ENDED, partsText, readNote, readParts, type UploadNote } from './notes.ts';

export const provider: Provider<'uploads'> = { open: (context) => new ProjectUploads(context) };

/** Time (ms) after which nobody will go on with an upload. */
const WEEK = 7 * 24 * 3_600_000;
/** Bytes of a note; what is larger is none. */
const LARGEST = 4 * 1024 * 1024;

class ProjectUploads implements Uploads {
  readonly #context: PortContext;
  readonly #folder: string;
  readonly #mark: string;
  /** Places and folders that the file of this unit's parts holds already, each with the end of its writing. */
  readonly #noted = new Map<string, Promise<void>>();
  readonly #seen = new Set<string>();
  readonly #removals: PartRemoval[] = [];

  constructor(context: PortContext) {
    this.#context = context;
    this.#folder = join(context.folders.root, '.svc', 'uploads');
    this.#mark = Buffer.from(context.host.random.bytes(8)).toString('hex');
    context.release(async () => {
      await Promise.allSettled(this.#noted.values());
      if (this.#noted.size === 0) return;
      if (await this.#areAllGone()) await this.#remove(this.#partsPath());
      // What cannot be handed over stays this process's, and is removed by the next one.
      else await this.#hand().catch(() => undefined);
    });
  }

  async take(key: UploadKey, signal: AbortSignal): Promise<HeldUpload | undefined> {
    const { host, release } = this.#context;
    const digest = host.digest('sha256');
    if (!digest) return undefined;
    digest.update(new TextEncoder().encode(JSON.stringify([key.place, key.path, key.source])));
    await this.#prepare();
    const path = join(this.#folder, `${digest.hex().slice(0, 32)}.json`);
    const lock = await openFileLocks({ host, release }).take(path, signal);
    if ('holder' in lock) return undefined;
    const { place, path: target } = key;
    return {
      note: (await this.#readNote(path))?.note,
      keep: async (note) => {
        const kept: UploadNote = { v: 1, place, path: target, at: host.clock.now(), note };
        // Addresses of uploads are as good as tokens.
        await host.files.write(path, JSON.stringify(kept), { mode: 0o600 });
      },
      forget: () => this.#remove(path),
      end: () => lock.release(),
    };
  }

  async mark(place: string, folder: string): Promise<string> {
    const line = partsText({ place, folder });
    let noted = this.#noted.get(line);
    if (!noted) {
      noted = this.#noteParts(line, this.#noted.size === 0);
      this.#noted.set(line, noted);
    }
    // Parts can be sent where nothing can be noted about them.
    await noted.catch(() => undefined);
    return this.#mark;
  }

  leavesPart(removal: PartRemoval): void {
    this.#removals.push(removal);
  }

  async #areAllGone(): Promise<boolean> {
    for (const removal of this.#removals) removal.stop();
    return !(await Promise.all(this.#removals.map(({ gone }) => gone))).includes(false);
  }

  /** Leaves the parts to whoever comes next, though this process may live for long. */
  async #hand(): Promise<void> {
    const lines = partsText(ENDED) + [...this.#noted.keys()].join('');
    await this.#context.host.files.write(this.#partsPath(), lines);
  }

  async left(place: string): Promise<LeftAtPlace> {
    if (this.#seen.has(place)) return { uploads: [], parts: [] };
    this.#seen.add(place);
    const { files } = this.#context.host;
    const names = (await files.list(this.#folder).catch(() => [])).map(({ name }) => name);
    const parts = await Promise.all(names.map((name) => this.#leftParts(name, place)));
    const uploads = await Promise.all(names.map((name) => this.#leftUpload(name, place)));
    return { uploads: uploads.flat(), parts: parts.flat() };
  }

  async #leftParts(name: string, place: string): Promise<LeftAtPlace['parts']> {
    const [, mark] = /^parts-([0-9a-f]{16})$/.exec(name) ?? [];
    if (mark === undefined || mark === this.#mark) return [];
    const path = join(this.#folder, name);
    const held = readParts(await this.#text(path));
    if (!held || !(held.owner === ENDED || isGone(held.owner, ownIdentity()))) return [];
    const mine = new Set(held.parts.filter((part) => part.place === place));
    const others = held.parts.filter((part) => !mine.has(part));
    return [...mine].map((part) => ({
      folder: part.folder,
      mark,
      forget: async () => {
        mine.delete(part);
        const rest = [...others, ...mine];
        if (rest.length === 0) await this.#remove(path);
        else await this.#context.host.files.write(path, partsText(held.owner) + rest.map(partsText).join(''));
      },
    }));
  }

  async #leftUpload(name: string, place: string): Promise<LeftAtPlace['uploads']> {
    if (!/^[0-9a-f]{32}\.json$/.test(name)) return [];
    const path = join(this.#folder, name);
    const kept = await this.#readNote(path);
    if (!kept || kept.place !== place || this.#context.host.clock.now() - kept.at < WEEK) return [];
    return [{ path: kept.path, note: kept.note, forget: () => this.#remove(path) }];
  }

  async #noteParts(line: string, isFirst: boolean): Promise<void> {
    if (isFirst) await this.#prepare();
    else
      await this.#noted
        .values()
        .next()
        .value?.catch(() => undefined);
    await this.#context.host.files.append(this.#partsPath(), (isFirst ? partsText(ownIdentity()) : '') + line);
  }

  #partsPath(): string {
    return join(this.#folder, `parts-${this.#mark}`);
  }

  async #prepare(): Promise<void> {
    const { files } = this.#context.host;
    await files.makeDirectory(this.#folder, { recursive: true });
    const ignored = join(this.#folder, '..', '.gitignore');
    await files.write(ignored, '*\n', { exclusive: true }).catch(() => undefined);
  }

  async #readNote(path: string): Promise<UploadNote | undefined> {
    return readNote(await this.#text(path));
  }

  async #text(path: string): Promise<string> {
    const bytes = await this.#context.host.files.readRegular(path, { limit: LARGEST }).catch(() => new Uint8Array());
    return new TextDecoder().decode(bytes);
  }

  async #remove(path: string): Promise<void> {
    await this.#context.host.files.remove(path).catch(() => undefined);
  }
}
