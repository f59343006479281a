import { describeBackend } from './backend.ts';
import { driveService } from './drive-service.ts';
import { startDropbox } from '../../fixtures/drives/dropbox.ts';

describeBackend('filesync', async () =>
  driveService(await startDropbox(), {
    open: async (unit, endpoint, options) =>
      await (await unit.work.port('filesync', unit.work.linked)).open({ token: 'good-token', endpoint }, options),
    // Which the service refuses, or stores without.
    cannotHold: (name) => /\\|\s$/.test(name),
    pageSize: 1050,
  }),
);
