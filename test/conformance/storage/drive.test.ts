import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';

import { startGoogleDrive } from '../../fixtures/drives/google.ts';
import { writeGoogleFiles } from '../../fixtures/drives/google-files.ts';
import { describeBackend } from './backend.ts';
import { driveService } from './drive-service.ts';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describeBackend('drive', async () => {
  const served = await startGoogleDrive();
  const folder = await mkdtemp(join(tmpdir(), 'svc-drive-'));
  folders.push(folder);
  const files = await writeGoogleFiles(folder, served.url);
  return await driveService(served, {
    open: async (unit, endpoint, options) =>
      await (await unit.work.port('drive', unit.work.linked)).open({ ...files, endpoint }, options),
    replies: {
      full: {
        status: 403,
        body: { error: { code: 403, message: 'full', errors: [{ reason: 'storageQuotaExceeded' }] } },
      },
      expired: { status: 401 },
    },
    pageSize: 850,
  });
});
