import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { Backend, Entry } from '../backend.ts';
import { HttpService } from '../http-service.ts';
import { nameOf } from '../remote-path.ts';

const TIMEOUT_MS = 15_000;
/** Largest file (bytes), as for downloads. */
const LARGEST = 20 * 1024 * 1024;

/** One file of the web, to be read: its address is that of the backend, whatever path is asked for. */
export function webBackend(http: Ports['http'], address: string): Backend {
  const url = URL.parse(address);
  if (!url || url.username !== '' || url.password !== '')
    throw fail.storageAddress({
      address: address.replace(/\/\/[^/]*@/, '//'),
      reason: 'it is no plain http or https address',
    });
  const place = url.origin;
  const service = new HttpService({ http, place, timeoutMs: TIMEOUT_MS });
  const cannot = (what: string) => async (): Promise<never> => {
    throw fail.storageCannot({ place, what });
  };
  return {
    scheme: url.protocol.slice(0, -1),
    place,
    can: {
      folders: false,
      rename: false,
      ranges: false,
      append: false,
      times: false,
      exclusive: false,
      tellsAbsent: true,
    },
    stat: async (path, { signal }) => {
      const { status, headers } = await service.send({ method: 'HEAD', url, signal, path, fine: [404, 410] });
      if (status === 404 || status === 410) return undefined;
      const length = headers['content-length'];
      if (length === undefined) throw fail.storageCannot({ place, what: 'it does not say how large the file is' });
      if (Number(length) > LARGEST) throw fail.downloadTooLarge({ url: address, limit: LARGEST });
      const mtime = Date.parse(headers['last-modified'] ?? '');
      const entry: Entry = {
        path,
        name: nameOf(path),
        kind: 'file',
        size: Number(length),
        ...(!Number.isNaN(mtime) && { mtime_ms: mtime }),
        ...(headers['etag'] !== undefined && { version: headers['etag'] }),
      };
      return entry;
    },
    read: async (path, { signal }) => {
      const stream = await service.receive({ method: 'GET', url, signal, path });
      return { body: stream.body(), close: () => stream.close() };
    },
    list: () => {
      throw fail.storageCannot({ place, what: 'the web has no folders that could be listed' });
    },
    write: cannot('the web is read only'),
    remove: cannot('the web is read only'),
    makeFolder: cannot('the web is read only'),
    close: async () => {},
  };
}
