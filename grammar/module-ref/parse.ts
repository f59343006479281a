/** A module as an action file names it: an installed package, or a file beside the action file. */
export interface ModuleRef {
  readonly kind: 'package' | 'file';
  /** The package with its subpath, or the path of the file as written: `shop-tools/orders`, `./tools/shop.mjs`. */
  readonly name: string;
  /** Name behind `#`: only this export is meant. */
  readonly export?: string;
}

const EXPORT = String.raw`(?:#(?<export>[A-Za-z_$][\w$]*))?$`;
// No part begins with a dot, so that a package's name leads nowhere else; no colon, so that nothing is an address.
const PACKAGE = new RegExp(String.raw`^(?<name>(?:@[\w~][\w.~-]*/)?[\w~][\w.~-]*(?:/[\w~][\w.~+-]*)*)${EXPORT}`);
const FILE = new RegExp(String.raw`^(?<name>\.{1,2}/[^\s#?:\\]*[^\s#?:\\/.])${EXPORT}`);

/** Characters of a name: no path is longer. */
const MOST_LENGTH = 4096;

/** Undefined for what names no module: addresses, `node:` and `data:`, absolute paths, folders. */
export function parseModuleRef(text: string): ModuleRef | undefined {
  if (text.length > MOST_LENGTH) return undefined;
  const kind = /^\.{1,2}\//.test(text) ? 'file' : 'package';
  const { name, export: exported } = (kind === 'file' ? FILE : PACKAGE).exec(text)?.groups ?? {};
  if (name === undefined) return undefined;
  return { kind, name, ...(exported === undefined ? {} : { export: exported }) };
}

/** The package that must be installed for `@acme/shop-tools/orders`: `@acme/shop-tools`. */
export function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

const ENDING = /\.[cm]?[jt]s$/;

/**
 * Beginning of the names of a module's commands, before `_<function>`. Command names hold letters, digits and
 * `_`, so that whatever else stands in a module's name becomes `_`: `shop-tools` and `./tools/shop-tools.mjs`
 * both give `shop_tools`.
 */
export function commandPrefix({ kind, name }: ModuleRef): string {
  const own = kind === 'file' ? name.slice(name.lastIndexOf('/') + 1) : name.replace(/^@/, '');
  const isFile = kind === 'file' || packageOf(name) !== name;
  const words = (isFile ? own.replace(ENDING, '') : own).replaceAll(/\W+/g, '_');
  return /^\d/.test(words) ? `_${words}` : words;
}
