import { resolve } from 'node:path';

import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import type { XmlPart } from '#runtime/adapters/xml/port.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { once } from '../session.ts';

type XmlTree = Extract<XmlPart, { kind: 'element' }>;
export type { XmlPart, XmlTree };

/**
 * The root element of an XML text, or of a file. Rejects with APITesterXMLException for bad XML, and with
 * APITesterXMLTypeException for another kind of source.
 */
export async function xml_parser(
  xml_string: string,
  { xml_type = 'string' }: { readonly xml_type?: 'string' | 'file' } = {},
  options: SessionOptions = {},
): Promise<XmlTree> {
  if (xml_type !== 'string' && xml_type !== 'file') throw fail.xmlSource({ kind: String(xml_type) });
  return await once(
    'xml_parser',
    ['xml', 'files'],
    async ({ xml, files, folders }) => {
      const bytes = (): Promise<Uint8Array> =>
        files.read(resolve(folders.cwd, xml_string)).catch((cause: unknown) => {
          throw fail.xmlUnreadable({ reason: `there is no file "${xml_string}" that can be read`, cause });
        });
      return rootOf(read(xml_type === 'file' ? new TextDecoder().decode(await bytes()) : xml_string, xml));
    },
    options,
  );
}

/**
 * XML text with four blanks a level. Where text stands beside elements it stays as it is. Rejects with
 * APITesterXMLException for document types, and for what is no XML.
 */
export async function reformat_xml_file(xml_string: string, options: SessionOptions = {}): Promise<string> {
  return await once(
    'reformat_xml_file',
    ['xml'],
    ({ xml }) =>
      read(xml_string, xml)
        .filter((part) => !isBlank(part))
        .map((part) => indented(part, ''))
        .join('\n'),
    options,
  );
}

/**
 * An XML text as an object with one root key: attributes begin with `@`, text beside them is `#text`, elements of one
 * name are a list. Text is trimmed; an empty element is an empty text.
 */
export async function elements_tree_to_dict(elements_tree: string, options: SessionOptions = {}): Promise<JsonObject> {
  const root = await xml_parser(elements_tree, {}, options);
  return Object.fromEntries([[root.name, valueOf(root)]]);
}

/**
 * The XML text of an object with one root key; the counterpart of `elements_tree_to_dict`. Throws APITesterXMLException
 * for values that are neither text, object nor list, and for names that XML cannot say.
 */
export function dict_to_elements_tree(json_dict: JsonObject): string {
  const [root, ...others] = Object.entries(json_dict);
  if (!root || others.length > 0) throw fail.xmlUnwritable({ reason: 'it has not one root key' });
  if (isList(root[1] ?? null)) throw fail.xmlUnwritable({ reason: 'its root is a list' });
  return element(root[0], root[1] ?? null, 0);
}

function read(text: string, xml: { parts(text: string): readonly XmlPart[] | string }): readonly XmlPart[] {
  const parts = xml.parts(text);
  if (typeof parts === 'string') throw fail.xmlUnreadable({ reason: parts });
  return parts;
}

function rootOf(parts: readonly XmlPart[]): XmlTree {
  const root = parts.find((part) => part.kind === 'element');
  if (!root) throw fail.xmlUnreadable({ reason: 'it has no element' });
  return root;
}

function isBlank(part: XmlPart): boolean {
  return part.kind === 'text' && part.text.trim() === '';
}

function indented(part: XmlPart, margin: string): string {
  if (part.kind !== 'element') return margin + written(part);
  const parts = part.parts.filter((one) => !isBlank(one));
  const isMixed = parts.some(({ kind }) => kind === 'text') || part.attributes['xml:space'] === 'preserve';
  if (isMixed || parts.length === 0) return margin + written(isMixed ? part : { ...part, parts });
  const inner = parts.map((one) => indented(one, `${margin}    `));
  return [`${margin}<${head(part)}>`, ...inner, `${margin}</${part.name}>`].join('\n');
}

function written(part: XmlPart): string {
  if (part.kind === 'other') return part.written;
  if (part.kind === 'text') return escaped(part.text);
  if (part.parts.length === 0) return `<${head(part)}/>`;
  return `<${head(part)}>${part.parts.map(written).join('')}</${part.name}>`;
}

function head({ name, attributes }: Pick<XmlTree, 'name' | 'attributes'>): string {
  return [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${inQuotes(value)}"`)].join(' ');
}

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"\r]/g, (sign) => signs[sign] ?? sign);
}

/** Blanks of an attribute that are no spaces would be read back as such. */
function inQuotes(text: string): string {
  return escaped(text).replace(/[\n\t]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function valueOf({ attributes, parts }: XmlTree): Json {
  const text = parts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('')
    .trim();
  const fields = new Map<string, Json>(Object.entries(attributes).map(([name, value]) => [`@${name}`, value]));
  for (const part of parts) {
    if (part.kind !== 'element') continue;
    const known = fields.get(part.name);
    const value = valueOf(part);
    fields.set(part.name, known === undefined ? value : isList(known) ? [...known, value] : [known, value]);
  }
  if (fields.size === 0) return text;
  if (text !== '') fields.set('#text', text);
  return Object.fromEntries(fields);
}

const NAME = /^[\p{L}_][\p{L}\p{N}._-]*(?::[\p{L}_][\p{L}\p{N}._-]*)?$/u;
/** Circles end here, and what no reader of ours would take. */
const DEEPEST = 64;

function element(name: string, value: Json, depth: number): string {
  if (!NAME.test(name)) throw fail.xmlUnwritable({ reason: `"${name}" is no name of an element` });
  if (depth === DEEPEST) throw fail.xmlUnwritable({ reason: `it nests deeper than ${DEEPEST} levels` });
  if (typeof value === 'string') return withContent(name, escaped(said(value, name)));
  if (!isObject(value)) throw fail.xmlUnwritable({ reason: `"${name}" is neither text, object nor list` });
  let start = name;
  let content = '';
  for (const [key, item] of Object.entries(value)) {
    if (key.startsWith('@')) {
      if (!NAME.test(key.slice(1))) throw fail.xmlUnwritable({ reason: `"${key}" is no name of an attribute` });
      start += ` ${key.slice(1)}="${inQuotes(said(item ?? null, key))}"`;
    } else if (key === '#text') content += escaped(said(item ?? null, key));
    else
      for (const one of isList(item ?? null) ? (item as readonly Json[]) : [item ?? null])
        content += element(key, one, depth + 1);
  }
  return withContent(start, content);
}

function withContent(start: string, content: string): string {
  return content === '' ? `<${start}/>` : `<${start}>${content}</${start.split(' ', 1)[0]}>`;
}

function said(value: Json, name: string): string {
  if (typeof value !== 'string') throw fail.xmlUnwritable({ reason: `"${name}" is no text` });
  // oxlint-disable-next-line no-control-regex -- these are what XML cannot hold
  if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/u.test(value))
    throw fail.xmlUnwritable({ reason: `"${name}" has a character that XML cannot say` });
  return value;
}
