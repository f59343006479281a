/**
 * Thing to look for, or what says it. A search begins before that is asked: where there is no answer, the element of
 * before is not current any more.
 */
export type Sought<T> = T | (() => T | Promise<T>);

export async function soughtBy<T extends string | object>(sought: Sought<T>): Promise<T> {
  return typeof sought === 'function' ? sought() : sought;
}
