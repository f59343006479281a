import { Failure } from '#schemas/types/failure.ts';

/**
 * No file, folder, snapshot, manifest, JSON file, template, folder of backups, file to encrypt or of which to keep a
 * version.
 */
const notFound: ReadonlySet<string> = new Set(
  '85000 85001 83061 85056 85061 85093 86207 86402 86415'.split(' ').map((digits) => `SVC${digits}`),
);

/**
 * A failure about a file or folder that is not there, with where it was looked for: a relative path of the step's
 * arguments, whole, and what it is relative to.
 */
export function soughtAt(failure: Failure, args: Readonly<Record<string, unknown>> | undefined, cwd: string): Failure {
  const { facts, options } = failure;
  if (!notFound.has(facts.code) || facts.help !== undefined) return failure;
  const path = Object.values(args ?? {}).find(
    (value): value is string =>
      typeof value === 'string' &&
      isRelative(value) &&
      [value, whole(value, cwd)].some((text) => facts.message.includes(`"${text}"`)),
  );
  if (path === undefined) return failure;
  const help = `"${path}" stands for "${whole(path, cwd)}": relative paths start at the working directory. Those of the action file begin with \${here}/, those of the project with \${root}/.`;
  return new Failure({ ...facts, help }, options);
}

function isRelative(path: string): boolean {
  return path !== '' && !/^(?:[\\/]|[A-Za-z]:|[a-z][a-z0-9+.-]*:\/\/)/.test(path);
}

/** The path from the root of the disk, without `.` and `..`. */
function whole(path: string, cwd: string): string {
  const separator = cwd.includes('\\') ? '\\' : '/';
  const pieces = cwd.split(/[\\/]/);
  for (const piece of path.split(separator === '/' ? '/' : /[\\/]/)) {
    if (piece === '..') pieces.pop();
    else if (piece !== '.' && piece !== '') pieces.push(piece);
  }
  return pieces.join(separator);
}
