import { startFauxqs } from 'fauxqs';

import { describeObjects } from './objects.ts';

describeObjects(async () => {
  const server = await startFauxqs({ port: 0, logger: false, init: { buckets: ['bucket-one'] } });
  return {
    port: server.port,
    login: { accessKey: 'k', secretKey: 's', region: 'eu-west-1' },
    bucket: 'bucket-one',
    [Symbol.asyncDispose]: () => server.stop(),
  };
});
