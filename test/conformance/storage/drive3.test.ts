import { startBox } from '../../fixtures/drives/box.ts';
import { describeBackend } from './backend.ts';
import { driveService } from './drive-service.ts';

describeBackend('drive3', async () =>
  driveService(await startBox(), {
    open: async (unit, endpoint, options) =>
      await (
        await unit.work.port('drive3', unit.work.linked)
      ).open({ token: 'good-token', clientId: '', clientSecret: '', endpoint }, options),
    // As the service's documentation says.
    cannotHold: (name) => /[\\]|^\s|\s$/.test(name),
    replies: {
      full: { status: 403, body: { type: 'error', status: 403, code: 'storage_limit_exceeded', message: 'full' } },
      expired: { status: 401 },
    },
    pageSize: 450,
    partsFrom: 20_000_000,
  }),
);
