/** Secrets shorter than this (characters) show nothing of themselves. */
const LONG = 20;

/** A secret as it may be shown: its first four characters where it is long, and how long it is. */
export function secretPreview(secret: string): string {
  const shown = secret.length < LONG ? '' : secret.slice(0, 4).replaceAll(/[^\x20-\x7e]/g, '.');
  return `${shown}… (${secret.length} characters)`;
}
