import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

/** The longest secret file. */
const MOST_BYTES = 64 * 1024;

export interface SecretFile {
  /** Content, less the line ends at its end, which editors put there. */
  readonly text: string;
  /** Every user of the machine may read it. */
  readonly isOpenToAll: boolean;
}

/**
 * A secret file below a folder, by its name there; undefined for one that is missing or no regular file, and for a name
 * that leads out of the folder, also through links. Fails for what is there and cannot be a secret: too large, or no
 * UTF-8.
 */
export async function readSecretFile(files: Files, root: string, name: string): Promise<SecretFile | undefined> {
  if (name === '' || name.includes('\0') || /^(?:[\\/]|[A-Za-z]:)/.test(name) || name.split(/[\\/]/).includes('..'))
    return undefined;
  const path = await inside(files, root, name);
  const stat = path === undefined ? undefined : await files.find(path);
  if (path === undefined || stat?.kind !== 'file') return undefined;
  const refuse = (reason: string): never => {
    throw fail.secretNotFound({ reference: `\${file:${name}}`, reason });
  };
  if (stat.size > MOST_BYTES) return refuse(`the file is larger than ${MOST_BYTES} bytes`);
  const bytes = await files.read(path);
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/[\r\n]+$/, ''),
      isOpenToAll: (stat.mode & 0o004) !== 0,
    };
  } catch {
    return refuse('the file is not UTF-8');
  }
}

/** The place that a name means, with links resolved; undefined where that lies outside, or nothing is there. */
async function inside(files: Files, root: string, name: string): Promise<string | undefined> {
  try {
    const [folder, real] = [await files.realPath(root), await files.realPath(`${root}/${name}`)];
    const separator = /[\\/]/.exec(folder)?.[0] ?? '/';
    return real.startsWith(folder.endsWith(separator) ? folder : folder + separator) ? real : undefined;
  } catch {
    return undefined;
  }
}
