import type { StorageUriProblem } from '#grammar/storage-uri/parse.ts';

/** Reason why a text is no address of storage, as part of a sentence. The part with a password is never told. */
export function addressProblem({ key, found = '', expected = '', nearest }: StorageUriProblem): string {
  switch (key) {
    case 'character':
      return `it holds the character ${found}`;
    case 'empty':
      return 'it is empty';
    case 'host':
      return 'what stands behind // is no host';
    case 'incomplete':
      return `it lacks ${expected}`;
    case 'port':
      return `its port must be a number of ${expected}`;
    case 'scheme':
      return `no storage is called "${found}"${nearest === undefined ? '' : `, is "${nearest}" meant?`}`;
    case 'slashes':
      return `// must stand behind "${found}:"`;
    case 'without-scheme':
      return 'no scheme stands in front of ://';
    case 'unreadable':
      return 'it cannot be read';
    default:
      return key satisfies never;
  }
}
