import { HIGHEST_PORT, type StorageUri } from './ast.ts';
import { formOf } from './schemes.ts';

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const control = /[\u0000-\u001f\u007f]/;
const authority = /^(?:([^:@[\]]+)(?::([^:@[\]]*))?@)?([^:@[\]]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?$/;

/** Reads a well-formed address without the grammar; undefined for any other. */
export function scanStorageUri(text: string): StorageUri | undefined {
  if (text === '' || control.test(text)) return undefined;
  const [, word = '', slashes = ''] = /^([A-Za-z][A-Za-z0-9+.-]+):(\/\/)?/.exec(text) ?? [];
  const form = formOf(word);
  if (form === undefined) return text.includes('://') ? undefined : { scheme: '', path: text };
  const scheme = word.toLowerCase();
  const rest = text.slice(word.length + 1 + slashes.length);
  if (form === 'path') return rest === '' ? undefined : { scheme, path: rest };
  // Without a server: the connection that is open.
  if (slashes === '') return form === 'server' && /^\/(?!\/)/.test(rest) ? { scheme, path: rest } : undefined;
  const slash = rest.indexOf('/');
  const [place, path] = slash < 0 ? [rest, ''] : [rest.slice(0, slash), rest.slice(slash)];
  if (form === 'container') return /^[^:@[\]]+$/.test(place) ? { scheme, host: place, path } : undefined;
  // The connection may be open already: then only the path is said.
  if (place === '') return form === 'server' && path !== '' ? { scheme, path } : undefined;
  const [, user, password, host, port] = authority.exec(place) ?? [];
  if (host === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > HIGHEST_PORT) return undefined;
  return {
    scheme,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    host,
    ...(port !== undefined && { port: Number(port) }),
    path,
  };
}
