/**
 * A share in percent, with so many decimals; with more of them where rounding would put it on the other side of what it
 * is compared with, or upon it.
 */
export function percent(share: number, decimals: number, limit?: number): string {
  if (limit === undefined || share === limit) return `${rounded(share, decimals)} %`;
  const isBelow = (value: number): boolean => value < limit * 100;
  const isAbove = (value: number): boolean => value > limit * 100;
  const isTold = share < limit ? isBelow : isAbove;
  const enough = range(decimals, MOST).find((count) => isTold(rounded(share, count)));
  return `${enough === undefined ? share * 100 : rounded(share, enough)} %`;
}

/** A limit in percent, as it was given. */
export function limitPercent(limit: number): string {
  return `${rounded(limit, MOST)} %`;
}

/** Decimals at which what numbers keep of a share in percent is told in full. */
const MOST = 12;

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function rounded(share: number, decimals: number): number {
  return Math.round(share * 10 ** (decimals + 2)) / 10 ** decimals;
}
