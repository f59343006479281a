/**
 * Whether a list of modules (`allow_packages`) names this one, or something that it lies in: `shop-tools` stands for
 * its subpaths too, `./tools` for the files below it. A name that only begins alike is another one.
 */
export function isListed(place: string, list: readonly string[]): boolean {
  return list.some((entry) => {
    const name = entry.replace(/\/+$/, '');
    return place === name || place.startsWith(`${name}/`);
  });
}
