import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { provider } from '#runtime/services/uploads/service.ts';
import type { UploadNote } from '#runtime/services/uploads/notes.ts';
import { memoryBackend, memoryStore } from '#stdlib/files/backends/near/memory.ts';
import { copyFile } from '#stdlib/files/backends/transfer/copy-file.ts';
import type { TransferTools } from '#stdlib/files/backends/transfer/job.ts';
import { Pace } from '#stdlib/files/backends/transfer/pace.ts';

import { unitContext } from '../../fixtures/unit-context.ts';
import { bytesOf, content, readAll, tools, type StorageService } from './service.ts';

const options = { signal: new AbortController().signal };
/** Two parts and a rest, for nearly every service. */
const SIZE = 17_000_000;
/** Bytes read when the first call ends, once a part has arrived. */
const BROKEN_AT = 12_000_000;

/** Uploads that a later call goes on with, by what an earlier one has noted. */
export function describeResumed(service: () => StorageService, fresh: () => Promise<string>): void {
  let root: string;
  beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'svc-uploads-'))));
  afterEach(() => rm(root, { recursive: true, force: true }));

  const size = (): number => Math.max(SIZE, service().partsFrom ?? 0);
  const kept = (): string => join(root, '.svc', 'uploads');
  const notes = async (): Promise<string[]> => (await readdir(kept())).map((name) => join(kept(), name));

  /** One call, in a unit of its own. */
  const call = async (path: string, bytes: Uint8Array, given: Parameters<typeof tools>[0] = {}): Promise<void> => {
    const unit = unitContext();
    const uploads = await provider.open({ ...unit.context, folders: { cwd: root, root, here: root } });
    const source = memoryBackend(memoryStore(), () => 1_600_000_000_000);
    await source.write('file', content(bytes), options);
    const used: TransferTools = tools({ ...given, uploads });
    const to = { backend: service().backend, path };
    try {
      await copyFile(used, { backend: source, path: 'file' }, to, { resume: true });
    } finally {
      await unit.end();
    }
  };

  /** Whether the note of the one upload names a part that has arrived, where it names parts. */
  const hasArrived = async (): Promise<boolean> => {
    const [note] = await Promise.all((await notes()).map((path) => readFile(path, 'utf8')));
    if (note === undefined || note === '') return false;
    const { parts } = (JSON.parse(note) as UploadNote).note;
    return parts === undefined || Object.keys(parts as object).length > 0;
  };

  const broken = async (path: string, bytes: Uint8Array): Promise<void> => {
    const controller = new AbortController();
    let moved = 0;
    class Breaking extends Pace {
      override async take(more: number, signal: AbortSignal): Promise<void> {
        await super.take(more, signal);
        moved += more;
        if (moved < BROKEN_AT) return;
        await expect.poll(hasArrived, { timeout: 20_000, interval: 10 }).toBe(true);
        controller.abort(new Error('stopped'));
      }
    }
    const pace = new Breaking(nodeHost().clock, 16_000_000);
    await expect(call(path, bytes, { signal: controller.signal, pace })).rejects.toThrow('stopped');
    expect(await service().backend.stat(path, options)).toBeUndefined();
  };

  const sentBy = async (work: () => Promise<void>): Promise<number> => {
    const before = service().proxy?.sent ?? 0;
    await work();
    return (service().proxy?.sent ?? 0) - before;
  };

  test('that breaks off is gone on with by the next call, which sends only the rest', async () => {
    if (service().backend.can.resumes === undefined) return;
    const path = `${await fresh()}/file`;
    const bytes = bytesOf(size());
    await broken(path, bytes);
    expect(await notes()).toHaveLength(1);
    const sent = await sentBy(() => call(path, bytes));
    expect(sent).toBeLessThan(size() - 8_000_000);
    expect(Buffer.compare(await readAll(service().backend, path), bytes)).toBe(0);
    expect(await notes()).toEqual([]);
  }, 30_000);

  test('that the service has forgotten begins anew', async () => {
    const { backend, keepsUploads } = service();
    if (!backend.abandon || keepsUploads) return;
    const path = `${await fresh()}/file`;
    const bytes = bytesOf(size());
    await broken(path, bytes);
    const [note = ''] = await notes();
    await backend.abandon(path, (JSON.parse(await readFile(note, 'utf8')) as UploadNote).note, options);
    expect(await sentBy(() => call(path, bytes))).toBeGreaterThan(size());
    expect(Buffer.compare(await readAll(backend, path), bytes)).toBe(0);
    expect(await notes()).toEqual([]);
  }, 30_000);

  test('of another version of the source begins anew, and what is left of the old one goes after a week', async () => {
    const { backend } = service();
    if (backend.can.resumes === undefined) return;
    const path = `${await fresh()}/file`;
    await broken(path, bytesOf(size()));
    const [note = ''] = await notes();
    const other = bytesOf(size() + 1);
    await call(path, other);
    expect(Buffer.compare(await readAll(backend, path), other)).toBe(0);
    expect(await notes()).toEqual([note]);
    const old = JSON.parse(await readFile(note, 'utf8')) as UploadNote;
    await writeFile(note, JSON.stringify({ ...old, at: old.at - 8 * 24 * 3_600_000 }));
    await call(`${path}2`, bytesOf(1));
    expect(await notes()).toEqual([]);
    expect(Buffer.compare(await readAll(backend, path), other)).toBe(0);
  }, 30_000);
}
