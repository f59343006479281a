import * as fail from '#schemas/generated/failures.ts';

/** A digest by the names that are accepted, as the platform knows it. */
export interface DigestName {
  /** Name as manifests write it. */
  readonly name: string;
  readonly openssl: string;
  /** Bytes of the result. */
  readonly length: number;
}

const digests: readonly DigestName[] = [
  { name: 'md5', openssl: 'md5', length: 16 },
  { name: 'sha1', openssl: 'sha1', length: 20 },
  { name: 'sha224', openssl: 'sha224', length: 28 },
  { name: 'sha256', openssl: 'sha256', length: 32 },
  { name: 'sha384', openssl: 'sha384', length: 48 },
  { name: 'sha512', openssl: 'sha512', length: 64 },
  { name: 'sha512_256', openssl: 'sha512-256', length: 32 },
  { name: 'sha3_224', openssl: 'sha3-224', length: 28 },
  { name: 'sha3_256', openssl: 'sha3-256', length: 32 },
  { name: 'sha3_384', openssl: 'sha3-384', length: 48 },
  { name: 'sha3_512', openssl: 'sha3-512', length: 64 },
  { name: 'blake2b', openssl: 'blake2b512', length: 64 },
  { name: 'blake2s', openssl: 'blake2s256', length: 32 },
];

/** Letter case, dashes and underscores make no difference; a name that is not accepted is a failure. */
export function digestNamed(algorithm: string): DigestName {
  const wanted = plain(algorithm);
  const found = digests.find(({ name, openssl }) => plain(name) === wanted || plain(openssl) === wanted);
  if (found === undefined)
    throw fail.unknownDigest({ name: algorithm, expected: digests.map(({ name }) => name).sort(), actual: algorithm });
  return found;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_/]/g, '');
}
