/** An error as the operating system's calls throw it. */
export function systemError(code: string, text: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${text}, '${path}'`), { code, path });
}

/** Gives an error of a temporary file the name that the caller knows. */
export function about(error: unknown, path: string): unknown {
  if (error instanceof Error && 'code' in error && 'path' in error) return systemError(String(error.code), reason(error), path);
  return error;
}

function reason(error: Error): string {
  return /^[A-Z0-9]+: (.*?)(?:, [a-z]+)?(?: '.*)?$/s.exec(error.message)?.[1] ?? error.message;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
