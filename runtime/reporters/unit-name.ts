/** A file of actions, behind which the combination of a matrix may stand. */
const withCombination = /^(.+?\.(?:json|ya?ml))\[(.+)\]$/s;

/** The path of a unit's file, and the combination of its matrix as `browser=firefox,user=ann` where it has one. */
export function unitName(source: string): { readonly file: string; readonly combination?: string } {
  const [, file, combination] = withCombination.exec(source) ?? [];
  return file === undefined || combination === undefined ? { file: source } : { file, combination };
}
