type Sqlite = typeof import('node:sqlite');

/**
 * Loaded at the first use: most programs need no database. Node 22 warns then that the module may still change, which
 * helps nobody who runs a program.
 */
export function loadSqlite(): Sqlite {
  const { emitWarning } = process;
  process.emitWarning = ((...told: Parameters<typeof process.emitWarning>) => {
    if (!/SQLite is an experimental feature/.test(String(told[0]))) emitWarning.apply(process, told);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
