import { syncBuiltinESMExports } from 'node:module';

type Exit = typeof process.exit;

/** Function that stands in the place of `process.exit` while some work goes on. */
interface Refusal extends Exit {
  readonly before: Exit;
  isOver: boolean;
}

/**
 * Does work of others that may not end the process: whoever calls `process.exit` in it gets an error, and so does
 * whoever waits for the work, also where that error is caught. The work must have an end.
 */
export async function withoutExit<Result>(work: () => Promise<Result>): Promise<Result> {
  const called = Promise.withResolvers<never>();
  const refuse = (status?: string | number | null): never => {
    // Kept from then, and called later.
    if (refusal.isOver) return refusal.before(status);
    const error = new Error(`it called process.exit(${String(status ?? '')}) while it was loaded`);
    called.reject(error);
    throw error;
  };
  const refusal: Refusal = Object.assign(refuse, { before: process.exit, isOver: false });
  put(refusal);
  try {
    return await Promise.race([work(), called.promise]);
  } finally {
    refusal.isOver = true;
    let current = process.exit;
    // Another such work may have begun behind this one, and go on or be over.
    while (isRefusal(current) && current.isOver) current = current.before;
    put(current);
  }
}

function isRefusal(exit: Exit): exit is Refusal {
  return 'isOver' in exit;
}

/** Modules that name `exit` in an import get what stands there now, too. */
function put(exit: Exit): void {
  process.exit = exit;
  syncBuiltinESMExports();
}
