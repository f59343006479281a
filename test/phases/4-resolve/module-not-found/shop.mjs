export function order({ book }) { return book; }
