/** A browser makes a socket a folder further down, whose path the system bounds to about a hundred bytes. */
const LONGEST = 60;

/** Whether a browser that is given the folder as its temporary one can make its sockets there. */
export function holdsSockets(folder: string): boolean {
  return Buffer.byteLength(folder) <= LONGEST;
}
