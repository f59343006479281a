/** Elements that ARIA lets be disabled without a role of their own. */
const nativeRoles =
  'a[href], area[href], button, input:not([type=hidden i]), select, textarea, option, optgroup, datalist, fieldset, details, hr, tr, th';
/** Roles of elements that `aria-disabled`, their own or that of a parent, disables. */
const disabledRoles =
  'application button composite gridcell group input link menuitem scrollbar separator tab checkbox columnheader combobox grid listbox menu menubar menuitemcheckbox menuitemradio option radio radiogroup row rowheader searchbox select slider spinbutton switch tablist textbox toolbar tree treegrid treeitem';
/** Roles of elements that `aria-readonly` closes for text. */
const readonlyRoles =
  'checkbox combobox grid gridcell listbox radiogroup slider spinbutton textbox columnheader rowheader searchbox switch treegrid';

/**
 * Function in a page of an element; it yields the control that is used when the element is: the button around an icon,
 * the box of a caption.
 */
export const controlOf = String.raw`(element) => {
  if (element.matches('input, textarea, select') || element.isContentEditable) return element;
  const button = element.closest('button, [role=button], [role=checkbox], [role=radio]');
  if (button) return button;
  if (element.matches('a, option, optgroup, [role=link]')) return element;
  const label = element.closest('label');
  return (label && label.control) || element;
}`;

/**
 * Function in a page of a control; it yields why it is disabled, and nothing where it is not. As Playwright has it: the
 * nearest `aria-disabled` counts, and only for roles that can be disabled.
 */
export const disabledBy = String.raw`(control, parentOf) => {
  if (control.matches(':disabled')) return control.disabled ? 'it is disabled' : 'its fieldset is disabled';
  const [role = ''] = (control.getAttribute('role') || '').toLowerCase().split(/\s+/).filter(Boolean);
  const isBare = role === '' || role === 'none' || role === 'presentation';
  if (!(isBare ? control.matches('${nativeRoles}') : ' ${disabledRoles} '.includes(' ' + role + ' '))) return undefined;
  for (let at = control; at; at = parentOf(at)) {
    const own = (at.getAttribute('aria-disabled') || '').toLowerCase();
    if (own === 'true') return 'aria-disabled is true';
    if (own === 'false') return undefined;
  }
  return undefined;
}`;

/** Function in a page of a control; it yields whether its text cannot be changed though it is enabled. */
export const isReadonly = String.raw`(control) => {
  if (control.matches('input, textarea, select')) return control.hasAttribute('readonly');
  const role = (control.getAttribute('role') || '').toLowerCase();
  return ' ${readonlyRoles} '.includes(' ' + role + ' ') && (control.getAttribute('aria-readonly') || '').toLowerCase() === 'true';
}`;
