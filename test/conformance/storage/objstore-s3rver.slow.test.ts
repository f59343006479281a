import { startS3rver } from '../../fixtures/s3rver.ts';
import { describeObjects } from './objects.ts';

describeObjects(async () => {
  const server = await startS3rver();
  return {
    port: server.port,
    login: { accessKey: server.accessKey, secretKey: server.secretKey, region: 'us-east-1' },
    bucket: 'box',
    keepsUploads: true,
    mixesWriters: true,
    checksTime: true,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});
