/** Way to read the bytes of an encoding. */
export type Reading = 'ascii' | 'latin1' | 'utf-16' | 'utf-32le' | 'utf-32be' | { readonly label: string };

/**
 * Reading by a name of lower-case letters and digits. `utf-16` is read by its mark, as is `utf-32`, and
 * little-endian without one. Undefined: there is none of that name, or this platform has no decoder for it.
 */
export function readingOf(name: string): Reading | undefined {
  if (ascii.has(name)) return 'ascii';
  if (latin1.has(name)) return 'latin1';
  const label = unicodeReadings.get(name) ?? labelOf(name);
  if (typeof label !== 'string' || label === 'utf-16' || label === 'utf-32le' || label === 'utf-32be') return label;
  return hasDecoder(label) ? { label } : undefined;
}

/** Whether the platform reads an encoding: older releases of Node lack `iso-8859-16`, builds without ICU most. */
function hasDecoder(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

const unicodeReadings: ReadonlyMap<string, 'utf-8' | 'utf-16' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be'> =
  new Map([
    ['utf8', 'utf-8'],
    ['utf8sig', 'utf-8'],
    ['utf16', 'utf-16'],
    ['utf16le', 'utf-16le'],
    ['utf16be', 'utf-16be'],
    ['utf32', 'utf-32le'],
    ['utf32le', 'utf-32le'],
    ['utf32be', 'utf-32be'],
  ]);

export const ascii: ReadonlySet<string> = new Set(['ascii', 'usascii', '646']);
// The web takes these names for windows-1252; here they mean what they say.
export const latin1: ReadonlySet<string> = new Set(['latin1', 'latin', 'l1', 'iso88591', '88591', 'cp819']);

const labels: ReadonlyMap<string, string> = new Map([
  ['cp866', 'ibm866'],
  ['866', 'ibm866'],
  ['ibm866', 'ibm866'],
  ['koi8r', 'koi8-r'],
  ['koi8u', 'koi8-u'],
  ['macroman', 'macintosh'],
  ['macintosh', 'macintosh'],
  ['gbk', 'gbk'],
  ['cp936', 'gbk'],
  ['gb2312', 'gbk'],
  ['gb18030', 'gb18030'],
  ['big5', 'big5'],
  ['cp950', 'big5'],
  ['shiftjis', 'shift_jis'],
  ['sjis', 'shift_jis'],
  ['cp932', 'shift_jis'],
  ['windows31j', 'shift_jis'],
  ['eucjp', 'euc-jp'],
  ['euckr', 'euc-kr'],
  ['cp949', 'euc-kr'],
]);

/** The name by which the web's standard knows an encoding whose letters stand in a table. */
export function labelOf(name: string): string | undefined {
  const windows = /^(?:cp|windows)?(874|125[0-8])$/.exec(name);
  if (windows) return `windows-${windows[1]}`;
  const iso = /^(?:iso)?8859([2-8]|10|13|14|15|16)$/.exec(name);
  if (iso) return `iso-8859-${iso[1]}`;
  return labels.get(name);
}

/** A name as tables hold it: case, dashes and underscores make no difference. */
export function plainName(encoding: string): string {
  return encoding.toLowerCase().replace(/[-_ :.]/g, '');
}
