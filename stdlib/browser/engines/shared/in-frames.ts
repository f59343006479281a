/** Words for the frames, from the outermost inwards, in which an element is or was looked for; none at the top. */
export function inFrames(names: readonly string[]): string {
  return names.length === 0 ? '' : ` in the frame ${names.join(' > ')}`;
}
