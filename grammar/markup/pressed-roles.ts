/** Roles of elements that people press although they are no buttons, links or fields of HTML. */
export const pressedRoles: ReadonlySet<string> = new Set([
  'button',
  'link',
  'checkbox',
  'switch',
  'tab',
  'menuitem',
  'radio',
  'option',
]);
