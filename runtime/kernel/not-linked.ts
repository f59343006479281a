/** A bug of whoever linked the program, not of the file that runs. */
export function notLinked(part: string): never {
  throw new Error(`the plan needs the part "${part}", which is not linked`);
}
