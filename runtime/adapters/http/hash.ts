import { createHash } from 'node:crypto';

import type { Hash } from '#grammar/http/digest.ts';

export const hash: Hash = (name, text) => createHash(name).update(text).digest('hex');
