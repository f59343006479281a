import type { Provider } from '#runtime/kernel/ports.ts';

import { decompress } from './decompress.ts';
import { compressWithNode } from './node-zlib.ts';
import { deflateInPieces } from './parallel-deflate.ts';

export const provider: Provider<'compression'> = {
  open: () => ({ compress: compressWithNode, deflate: deflateInPieces, decompress }),
};
