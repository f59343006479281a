/**
 * Reason why a path of a contract may not be sent; undefined: it may. It must stay on the provider, below its
 * base.
 */
export function unsafePath(path: string): string | undefined {
  if (!path.startsWith('/'))
    return /^[a-z][a-z0-9+.-]*:/i.test(path) ? 'names a scheme or host' : 'does not begin with a slash';
  if (path.startsWith('//')) return 'begins with two slashes, which names a host';
  // oxlint-disable-next-line no-control-regex -- these are what must not be sent
  if (/[\u0000-\u0020\u007f]/.test(path)) return 'holds blanks or control characters';
  let text = path;
  for (let round = 0; round < 5; round++) {
    if (text.includes('\\')) return 'holds a backslash';
    if (/[?#]/.test(text) && round === 0) return 'holds a query or a fragment';
    if (text.split('/').some((part) => part === '..' || part === '.')) return 'climbs out of its folder';
    const decoded = decode(text);
    if (decoded === undefined) return 'holds a broken percent sign';
    if (decoded === text) return undefined;
    // oxlint-disable-next-line no-control-regex -- these are what must not be sent
    if (/[\u0000-\u001f]/.test(decoded)) return 'holds encoded control characters';
    text = decoded;
  }
  return 'is encoded more than four times';
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
