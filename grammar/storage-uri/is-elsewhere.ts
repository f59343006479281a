import { formOf } from './schemes.ts';

/**
 * Whether a text is the address of a place in storage; any other is a path of this machine. One letter before a colon
 * is a drive.
 */
export function isElsewhere(text: string): boolean {
  const [, word = ''] = /^([A-Za-z][A-Za-z0-9+.-]+):/.exec(text) ?? [];
  return formOf(word) !== undefined || /^[A-Za-z][A-Za-z0-9+.-]+:\/\//.test(text);
}
