import { existsSync } from 'node:fs';

/** The folder of this package, as a URL with a slash at its end: from sources and from the bundle. */
export const packageFolder: URL = find(new URL('.', import.meta.url));

function find(from: URL): URL {
  if (existsSync(new URL('package.json', from))) return from;
  const above = new URL('..', from);
  if (above.href === from.href) throw new Error('the package of svc has lost its package.json');
  return find(above);
}
