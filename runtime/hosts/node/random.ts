import { randomBytes, randomUUID } from 'node:crypto';

import type { Random } from '#schemas/types/host.ts';

export const random: Random = {
  number: () => Math.random(),
  uuid: () => randomUUID().replaceAll('-', ''),
  bytes: (count) => new Uint8Array(randomBytes(count)),
};
