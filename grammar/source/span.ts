import type { Span } from '#schemas/types/place.ts';

/** The half-open range `[start, end)`. */
export function span(start: number, end: number): Span {
  return { start, end };
}

/** Whether `outer` holds every offset of `inner`; an empty `inner` at either edge counts. */
export function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Whether two ranges share an offset. Empty ranges overlap nothing. */
export function overlaps(left: Span, right: Span): boolean {
  return left.start < right.end && right.start < left.end;
}
