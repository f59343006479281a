/** A number and the word that goes with it: `1 place`, `3 places`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
