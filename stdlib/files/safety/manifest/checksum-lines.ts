/** Digest of one file, as `sha256sum` and its kin write it: a line each. */
export interface ChecksumLine {
  readonly name: string;
  readonly checksum: string;
  readonly algorithm: string;
}

/** `digest  name`, with a star before names of binary files; or `ALGORITHM (name) = digest`, as BSD and OpenSSL do. */
const GNU = /^(\\?)([0-9a-fA-F]{32,128}) [ *](.+)$/;
const TAGGED = /^(\\?)([A-Za-z][\w/-]*) ?\((.+)\) ?= ?([0-9a-fA-F]{32,128})$/;

/** Digests by their number of digits, where a line does not name its own. */
const BY_LENGTH: Readonly<Record<number, string>> = {
  32: 'md5',
  40: 'sha1',
  56: 'sha224',
  64: 'sha256',
  96: 'sha384',
  128: 'sha512',
};

/** Reads a file of checksums; the number of the first line that is none, where there is one. Lines count from 1. */
export function readChecksumLines(text: string): readonly ChecksumLine[] | number {
  const found: ChecksumLine[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const read = lineOf(line);
    if (read === undefined) return index + 1;
    found.push(read);
  }
  return found;
}

function lineOf(line: string): ChecksumLine | undefined {
  const [, escaped, checksum = '', name = ''] = GNU.exec(line) ?? [];
  if (escaped !== undefined) return entry(BY_LENGTH[checksum.length], checksum, nameOf(name, escaped));
  const [, mark, algorithm, tagged = '', digest = ''] = TAGGED.exec(line) ?? [];
  if (mark === undefined) return undefined;
  return entry(algorithm?.replace(/^SHA2-/i, 'SHA'), digest, nameOf(tagged, mark));
}

function entry(algorithm: string | undefined, checksum: string, name: string): ChecksumLine | undefined {
  return algorithm === undefined ? undefined : { algorithm, checksum: checksum.toLowerCase(), name };
}

/** A name without `./` before it; a backslash before the line says that those in the name are escapes. */
function nameOf(written: string, mark: string): string {
  const name =
    mark === ''
      ? written
      : written.replaceAll(/\\([\\nr])/g, (_, sign: string) => ({ n: '\n', r: '\r' })[sign] ?? '\\');
  return name.replace(/^(?:\.\/+)+/, '');
}
