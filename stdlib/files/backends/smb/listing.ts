/** One line of a listing of `smbclient`. */
export interface SmbListed {
  /** The name, without blanks at its end where it is filled up. */
  readonly name: string;
  /** Blanks fill it up, so that its own at the end are not known. */
  readonly isFilled: boolean;
  readonly isFolder: boolean;
  readonly size: number;
  readonly mtime_ms: number;
}

/** Whether a listing holds the folder itself, as one of all names does. */
export function listsItself(text: string): boolean {
  return /^ {2}\. {20,}/m.test(text);
}

/**
 * Reads the lines of `ls`: two blanks, the name filled up to 30 bytes, attributes in seven letters, the size in at
 * least eight, the time in UTC. Names may hold blanks, so each line is read from its end.
 */
export function readListing(text: string): readonly SmbListed[] {
  return text.split('\n').flatMap((line) => {
    const [, head = '', digits = '', time = ''] =
      /^ {2}(.*?)(\d+) {2}(\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})$/.exec(line) ?? [];
    if (time === '') return [];
    // The size is filled up to eight letters; one blank and seven letters of attributes stand before it.
    const fill = Math.max(0, 8 - digits.length);
    const front = head.slice(0, head.length - fill - 1);
    const attributes = front.slice(-7);
    const padded = front.slice(0, -7);
    const isFilled = Buffer.byteLength(padded) <= 30;
    const name = isFilled ? padded.replace(/ +$/, '') : padded;
    if (name === '.' || name === '..') return [];
    const mtime = Date.parse(`${time} UTC`);
    return [
      {
        name,
        isFilled,
        isFolder: attributes.includes('D'),
        size: Number(digits),
        mtime_ms: Number.isNaN(mtime) ? 0 : mtime,
      },
    ];
  });
}
