import type { Random } from '#schemas/types/host.ts';

import { whenNeeded } from './when-needed.ts';

export const random: Random = {
  number: () => Math.random(),
  uuid: () => whenNeeded.crypto.randomUUID().replaceAll('-', ''),
  bytes: (count) => new Uint8Array(whenNeeded.crypto.randomBytes(count)),
};
