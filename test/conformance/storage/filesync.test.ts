import { describeBackend } from './backend.ts';
import { driveService } from './drive-service.ts';
import { startDropbox } from '../../fixtures/drives/dropbox.ts';

describeBackend('filesync', async () =>
  driveService(await startDropbox(), {
    open: async (unit, endpoint, options) =>
      await (await unit.work.port('filesync', unit.work.linked)).open({ token: 'good-token', endpoint }, options),
    // Which the service refuses, or stores without.
    cannotHold: (name) => /\\|\s$/.test(name),
    replies: {
      full: {
        status: 409,
        body: {
          error_summary: 'path/insufficient_space/',
          error: { '.tag': 'path', reason: { '.tag': 'insufficient_space' } },
        },
      },
      expired: {
        status: 401,
        body: { error_summary: 'expired_access_token/', error: { '.tag': 'expired_access_token' } },
      },
    },
    pageSize: 1050,
  }),
);
