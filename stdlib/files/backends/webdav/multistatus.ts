import type { Ports } from '#runtime/kernel/ports.ts';

type Xml = Exclude<ReturnType<Ports['xml']['read']>, string>;

/** One resource of a multi-status answer. */
export interface DavResource {
  /** Address as the server wrote it. */
  readonly href: string;
  /** The path of `href`, decoded part by part. */
  readonly parts: readonly string[];
  /** Status of the resource as a whole, where the answer has one. */
  readonly status?: number;
  readonly isFolder: boolean;
  readonly size?: number;
  /** Time as the server wrote it. */
  readonly lastModified?: string;
  readonly mtime_ms?: number;
  readonly etag?: string;
}

const DAV = 'DAV:';

/** Properties that are asked for. */
export const QUESTION =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/>' +
  '<getlastmodified/><getetag/></prop></propfind>';

/** Reads an answer with status 207. A text says why it cannot be read. */
export function readMultistatus(xml: Ports['xml'], text: string): readonly DavResource[] | string {
  const root = xml.read(text);
  if (typeof root === 'string') return root;
  if (root.name !== 'multistatus' || root.namespace !== DAV) return `it is a "${root.name}" and no "multistatus"`;
  const found: DavResource[] = [];
  for (const response of all(root, 'response')) {
    const resource = resourceOf(response);
    if (typeof resource === 'string') return resource;
    found.push(resource);
  }
  return found;
}

function resourceOf(response: Xml): DavResource | string {
  const href = textOf(response, 'href').trim();
  const parts = partsOf(href);
  if (parts === undefined) return `"${href.slice(0, 200)}" is no path of a resource`;
  // Only groups whose status is 200 say what is there; others list what is missing or denied.
  const groups = all(response, 'propstat').filter((group) => (statusOf(group) ?? 200) < 300);
  const properties = groups.flatMap((group) => all(group, 'prop').flatMap(({ children }) => children));
  const value = (name: string): string | undefined => {
    const text = properties.find((property) => property.name === name && property.namespace === DAV)?.text.trim();
    return text === '' ? undefined : text;
  };
  const type = properties.find((property) => property.name === 'resourcetype' && property.namespace === DAV);
  const isFolder = type !== undefined && all(type, 'collection').length > 0;
  const [status, size, modified, etag] = [
    statusOf(response),
    value('getcontentlength'),
    value('getlastmodified'),
    value('getetag'),
  ];
  const mtime = Date.parse(modified ?? '');
  return {
    href,
    parts,
    isFolder,
    ...(status !== undefined && { status }),
    ...(size !== undefined && /^\d{1,15}$/.test(size) && !isFolder && { size: Number(size) }),
    ...(modified !== undefined && { lastModified: modified }),
    ...(!Number.isNaN(mtime) && { mtime_ms: mtime }),
    ...(etag !== undefined && { etag }),
  };
}

/**
 * The decoded parts of an address or an absolute path; undefined where it is neither, or where a part would hide a
 * slash or a step up.
 */
function partsOf(href: string): readonly string[] | undefined {
  const path = /^https?:\/\/[^/]*(\/[^?#]*)?/i.exec(href)?.[1] ?? (href.startsWith('/') ? href : undefined);
  if (path === undefined) return undefined;
  try {
    const parts = path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
    return parts.some((part) => part === '.' || part === '..' || /[/\0]/.test(part)) ? undefined : parts;
  } catch {
    return undefined;
  }
}

/** The number in `HTTP/1.1 200 OK`. */
function statusOf(element: Xml): number | undefined {
  const [, code] = /^\s*HTTP\/[\d.]+\s+(\d{3})/.exec(textOf(element, 'status')) ?? [];
  return code === undefined ? undefined : Number(code);
}

function all(root: Xml, name: string): readonly Xml[] {
  return root.children.filter((child) => child.name === name && child.namespace === DAV);
}

function textOf(root: Xml, name: string): string {
  return all(root, name)[0]?.text ?? '';
}
