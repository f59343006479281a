import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Backend } from '#stdlib/files/backends/backend.ts';

import { describeContent } from './content.ts';
import { describeCopies } from './copies.ts';
import { describeTroubles } from './faults.ts';
import { describeListings } from './listings.ts';
import { describeNames } from './names.ts';
import { describeResumed } from './resumed.ts';
import { content, listAll, put, readAll, type StorageService } from './service.ts';

const options = { signal: new AbortController().signal };

/** Suite that every backend must pass, whatever it speaks. */
export function describeBackend(name: string, start: () => Promise<StorageService>): void {
  describe(`the backend ${name}`, { shuffle: false }, () => {
    let service: StorageService;
    let backend: Backend;
    let count = 0;
    beforeAll(async () => {
      service = await start();
      backend = service.backend;
    }, 60_000);
    afterAll(async () => {
      await service[Symbol.asyncDispose]();
    });
    /** A fresh folder for one test. */
    const fresh = async (): Promise<string> => {
      const own = `${service.top}/t${(count += 1)}`;
      await backend.makeFolder(own, options);
      return own;
    };

    describe('names', () => {
      describeNames(() => service, fresh);
    });

    describe('content', () => {
      describeContent(() => service, fresh);
    });

    describe('folders and listings', () => {
      describeListings(() => service, fresh);
    });

    describe('times and moves', () => {
      test.each([0, 1_000_000_000_000, 1_700_000_000_123])(
        'keeps the time %i, or says that it does not',
        async (time) => {
          const folder = await fresh();
          await backend.write(`${folder}/file`, content(new TextEncoder().encode('x'), { mtime_ms: time }), options);
          const { times } = backend.can;
          if (times !== false) await backend.setTime?.(`${folder}/file`, time, options);
          const { mtime_ms } = (await backend.stat(`${folder}/file`, options)) ?? {};
          if (times === false) expect(Math.abs((mtime_ms ?? Date.now()) - Date.now())).toBeLessThan(3_600_000);
          else expect(Math.abs((mtime_ms ?? -1) - time)).toBeLessThanOrEqual(times);
        },
      );

      test('renames over what is there', async () => {
        if (!backend.can.rename) return;
        const folder = await fresh();
        await put(backend, `${folder}/old name`, 'new');
        await put(backend, `${folder}/100%`, 'old');
        await backend.rename?.(`${folder}/old name`, `${folder}/100%`, options);
        expect((await listAll(backend, folder)).map((entry) => entry.name)).toEqual(['100%']);
        expect(new TextDecoder().decode(await readAll(backend, `${folder}/100%`))).toBe('new');
      });
    });

    describe('trouble', () => {
      describeTroubles(() => service, fresh);
    });

    describe('an upload in parts', () => {
      describeResumed(() => service, fresh);
    });

    describe('transfers', () => {
      describeCopies(() => service, fresh);
    });
  });
}
