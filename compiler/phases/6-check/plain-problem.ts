import type { Problem } from './answer.ts';

/** A problem in the schema's own terms, for values that belong to no command. */
export function plainProblem({ keyword, wanted, route }: Problem): string {
  const where = route.length === 0 ? '' : `${route.join('.')}: `;
  return `${where}${keyword} ${JSON.stringify(wanted)}`;
}
