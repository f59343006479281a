/** Stands for a part of the host that is not linked: a bug of whoever linked the program. */
export function absent(): never {
  throw new Error('the program asks for a part of its host that is not linked');
}
