import { isSecretKey } from '#schemas/types/secret-key.ts';

const ports: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
  'ftp:': '21',
};

/** A path of one short word is the name of a database or a room, which other texts hold too. */
const tellingPath = /^(?=.{6})(?:\/[^/]+\/.*[^/]|.*\d.*|.{16,})/s;
const SHORTEST = 8;
const SHORTEST_PASSWORD = 6;
/** A user's name, or a value of the query, as long as this is a key. */
const LONG = 16;

/**
 * The parts of an address that is a secret, as the URL parser and those who ask write them: whole, with and without the
 * usual port, path and query, and the password. Empty for a text that is no address.
 */
export function addressForms(text: string): readonly string[] {
  if (!/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return [];
  const url = new URL(text);
  const { protocol, username, password, hostname, host, pathname, search, hash, href } = url;
  const user = username === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`;
  const rest = `${pathname}${search}${hash}`;
  const port = url.port === '' ? ports[protocol] : undefined;
  const found = [href, `${protocol}//${user}${host}${pathname}${search}`, `${protocol}//${host}${rest}`];
  if (port !== undefined) found.push(`${protocol}//${user}${hostname}:${port}${rest}`);
  if (rest === '/') found.push(href.slice(0, -1));
  if (search !== '') found.push(`${pathname}${search}`, search.slice(1), ...queryValues(url));
  if (user === '' && tellingPath.test(pathname)) found.push(pathname);
  if (username.length >= LONG) found.push(decoded(username));
  return [
    ...found.filter((form) => form.length >= SHORTEST),
    ...(password.length >= SHORTEST_PASSWORD ? [decoded(password)] : []),
  ];
}

function queryValues({ searchParams }: URL): readonly string[] {
  return [...searchParams].flatMap(([key, value]) => (isSecretKey(key) || value.length >= LONG ? [value] : []));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
