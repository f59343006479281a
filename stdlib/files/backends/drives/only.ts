import * as fail from '#schemas/generated/failures.ts';

import type { Backend } from '../backend.ts';

/**
 * A view of a backend whose paths mean something else: ids, or names in one folder. What it is not made for is refused.
 */
export function only(backend: Backend, methods: Partial<Backend>): Backend {
  const refused = async (): Promise<never> => {
    throw fail.storageCannot({ place: backend.place, what: 'this is asked by path' });
  };
  return {
    scheme: backend.scheme,
    place: backend.place,
    can: backend.can,
    stat: refused,
    list: () => {
      throw fail.storageCannot({ place: backend.place, what: 'this is asked by path' });
    },
    read: refused,
    write: refused,
    remove: refused,
    makeFolder: refused,
    close: async () => {},
    ...methods,
  };
}
