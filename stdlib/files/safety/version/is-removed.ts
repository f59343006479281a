/** Waits for the removal of a file, or for its move; false where it was gone already: somebody else was first. */
export async function isRemoved(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
