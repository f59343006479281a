import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

/** The path of the first server without a slash at its end; empty where there is none. */
export function serverBasePath(document: JsonObject): string {
  const { servers, basePath } = document;
  if (typeof basePath === 'string') return basePath.replace(/\/+$/, '');
  const [server] = Array.isArray(servers) ? (servers as readonly Json[]) : [];
  const url = URL.parse(serverUrl(server), 'http://none');
  return url ? url.pathname.replace(/\/+$/, '') : '';
}

/** The address of a server with the defaults of its variables; empty where it has none. */
export function serverUrl(server: Json | undefined): string {
  if (!isObject(server)) return '';
  const { url, variables } = server;
  if (typeof url !== 'string') return '';
  return url.replace(/\{([^{}]*)\}/g, (written, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined;
    return isObject(variable) ? String(variable['default'] ?? '') : written;
  });
}

/** The beginnings of paths that servers name beside the one of `serverBasePath`, with all values of their variables. */
export function otherBasePaths(servers: Json | undefined, usual: string): readonly RegExp[] {
  return (Array.isArray(servers) ? (servers as readonly Json[]) : []).flatMap((server) => {
    const source = basePattern(server);
    return source === '' || source === literally(usual) ? [] : [new RegExp(`^${source}(?=/|$)`)];
  });
}

/** Paths that one may mean: as it is, and without the beginnings that stand before it. */
export function pathsBelow(path: string, bases: readonly RegExp[]): readonly string[] {
  const below = bases.flatMap((base) => (base.test(path) ? [path.replace(base, '') || '/'] : []));
  return [path, ...below];
}

function basePattern(server: Json): string {
  if (!isObject(server)) return '';
  const { url, variables } = server;
  if (typeof url !== 'string') return '';
  const known = isObject(variables) ? variables : {};
  // A variable that holds a scheme or several segments stands for its default.
  const written = url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const said = isObject(known[name]) ? known[name]['default'] : undefined;
    return typeof said === 'string' && said.includes('/') ? said : whole;
  });
  const path = written
    .replace(/^(?:(?:[a-z][\w+.-]*|\{[^{}]*\}):)?\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/^(?:\.\/)+|^(?=[^/])/, '/')
    .replace(/\/+$/, '');
  // Variables side by side take one segment, in one way.
  return path
    .replace(/(\{[^{}]*\})(?:\{[^{}]*\})+/g, '$1')
    .split(/(\{[^{}]*\})/)
    .map((piece, index) => (index % 2 === 0 ? literally(piece) : valuesOf(known[piece.slice(1, -1)])))
    .join('');
}

/** The values that a variable may have; any segment where it lists none. */
function valuesOf(variable: Json | undefined): string {
  const listed = isObject(variable) ? variable['enum'] : undefined;
  const values = Array.isArray(listed) ? (listed as readonly Json[]) : [];
  return values.length > 0 ? `(?:${values.map((value) => literally(String(value))).join('|')})` : '[^/]+';
}

function literally(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');
}
