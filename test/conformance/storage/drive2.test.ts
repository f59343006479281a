import { isRefused, startGraph } from '../../fixtures/drives/graph.ts';
import { describeBackend } from './backend.ts';
import { driveService } from './drive-service.ts';

describeBackend('drive2', async () =>
  driveService(await startGraph(), {
    open: async (unit, endpoint, options) =>
      await (await unit.work.port('drive2', unit.work.linked)).open({ token: 'good-token', endpoint }, options),
    // As the service's documentation says.
    cannotHold: isRefused,
    replies: {
      full: { status: 507, body: { error: { code: 'quotaLimitReached', message: 'full' } } },
      expired: { status: 401 },
    },
    pageSize: 850,
  }),
);
