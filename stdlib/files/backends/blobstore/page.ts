import type { Ports } from '#runtime/kernel/ports.ts';

import type { Entry } from '../backend.ts';
import { nameOf } from '../remote-path.ts';

type Xml = Exclude<ReturnType<Ports['xml']['read']>, string>;

/** One page of a listing. */
export interface BlobPage {
  readonly entries: readonly Entry[];
  /** Marker of the next page; undefined after the last. */
  readonly next: string | undefined;
}

/** Reads a page; a text says what is wrong with it. */
export function readPage(xml: Ports['xml'], text: string, container: string): BlobPage | string {
  // Names that XML cannot hold come encoded, which an attribute says: as an element it reaches us.
  const root = xml.read(text.replace(/^\uFEFF/, '').replaceAll('<Name Encoded="true">', '<Name><Encoded/>'));
  if (typeof root === 'string') return root;
  const blobs = child(root, 'Blobs')?.children ?? [];
  const entries = blobs.map((item) =>
    item.name === 'BlobPrefix' ? folderOf(item, container) : fileOf(item, container),
  );
  return { entries, next: child(root, 'NextMarker')?.text || undefined };
}

function folderOf(item: Xml, container: string): Entry {
  const name = nameIn(item).replace(/\/$/, '');
  return { path: `${container}/${name}`, name: nameOf(name), kind: 'folder' };
}

function fileOf(item: Xml, container: string): Entry {
  const name = nameIn(item);
  const properties = child(item, 'Properties');
  const value = (key: string): string => (properties && child(properties, key)?.text) ?? '';
  const mtime = Date.parse(value('Last-Modified'));
  const digest = Buffer.from(value('Content-MD5'), 'base64');
  return {
    path: `${container}/${name}`,
    name: nameOf(name),
    kind: value('ResourceType') === 'directory' ? 'folder' : 'file',
    size: Number(value('Content-Length')),
    ...(!Number.isNaN(mtime) && { mtime_ms: mtime }),
    ...(digest.length === 16 && { digest: digest.toString('hex') }),
    version: value('Etag').replace(/^([^"].*)$/, '"$1"'),
  };
}

function nameIn(item: Xml): string {
  const name = child(item, 'Name');
  if (!name?.children.some((inner) => inner.name === 'Encoded')) return name?.text ?? '';
  try {
    return decodeURIComponent(name.text);
  } catch {
    return name.text;
  }
}

function child(parent: Xml, name: string): Xml | undefined {
  return parent.children.find((one) => one.name === name);
}
