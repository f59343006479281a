import { isObject } from '#schemas/types/json.ts';

import { describeElement } from './describe.ts';
import { controlOf, disabledBy, isReadonly } from './disabled.ts';

/** Condition that an action needs of its element. */
export type Check = 'visible' | 'stable' | 'enabled' | 'editable' | 'reachable';

/** Everything that an action can need of its element. */
export const everyCheck: readonly Check[] = ['visible', 'enabled', 'editable', 'stable', 'reachable'];

/**
 * The script is a function of an element and the names of checks; it yields the type of the field that the
 * element is, and what is not as needed, with the host of the shadow root in which the element is. A glance changes
 * nothing in the page and waits for no frame: an element that moves or is out of view is not ready for it.
 */
export const readiness = String.raw`async (element, checks, isGlance) => {
  const describe = ${describeElement};
  const parentOf = (at) => at.parentElement || (at.getRootNode() instanceof ShadowRoot ? at.getRootNode().host : null);
  const box = () => { const { x, y, width, height } = element.getBoundingClientRect(); return [x, y, width, height]; };
  const frame = () => new Promise((resolve) => { requestAnimationFrame(resolve); setTimeout(resolve, 50); });
  const look = async () => {
  if (!element.isConnected) return { check: 'attached' };
  // Options are drawn by their list, and what files are put into is often hidden.
  if (element.localName === 'option' || element.localName === 'optgroup' || element.type === 'file') checks = checks.filter((check) => check === 'enabled');
  if (checks.includes('visible')) {
    const [, , width, height] = box();
    const style = getComputedStyle(element);
    if (style.display !== 'contents' && (width === 0 || height === 0 || style.visibility !== 'visible')) {
      let why = style.visibility !== 'visible' ? 'visibility is ' + style.visibility : 'it takes no room';
      for (let at = element; at; at = parentOf(at)) if (getComputedStyle(at).display === 'none') { why = at === element ? 'display is none' : 'it is inside ' + describe(at) + ', whose display is none'; break; }
      return { check: 'visible', detail: why };
    }
  }
  const control = (${controlOf})(element);
  const closedBy = checks.includes('enabled') && (${disabledBy})(control, parentOf);
  if (closedBy) return { check: 'enabled', detail: closedBy };
  if (checks.includes('editable') && (${isReadonly})(control)) return { check: 'editable', detail: 'it is read-only' };
  if (checks.includes('stable') && document.getAnimations) {
    const around = [];
    for (let at = element; at; at = at.assignedSlot || parentOf(at)) around.push(at);
    const isAnimated = (root) => root.getAnimations().some(({ playState, effect }) => playState === 'running' && effect && around.includes(effect.target));
    // Scripts move things by their own style. Where there is none, no frame is waited for.
    const isPlaced = ({ style }) => style && [...style].some((name) => /^(?:transform|translate|rotate|scale|left|top|right|bottom|margin-|(?:min-|max-)?(?:width|height)$)/.test(name));
    const moves = around.some(isPlaced) || [...new Set(around.map((at) => at.getRootNode()))].some(isAnimated);
    if (moves && isGlance) return { check: 'stable' };
    if (moves) {
      const before = box();
      await frame(); await frame();
      if (box().some((value, index) => value !== before[index])) return { check: 'stable', detail: 'it moves' };
    }
  }
  if (checks.includes('reachable')) {
    const inView = ([x, y, width, height]) => x + width / 2 >= 0 && y + height / 2 >= 0 && x + width / 2 < innerWidth && y + height / 2 < innerHeight;
    if (!inView(box()) && isGlance) return { check: 'reachable' };
    if (!inView(box())) element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const holds = (hit) => { for (let at = hit; at; at = parentOf(at)) if (at === element) return true; return false; };
    const hitAt = () => {
      const [rect] = element.getClientRects();
      if (!rect) return element;
      const [x, y] = [(Math.max(rect.left, 0) + Math.min(rect.right, innerWidth)) / 2, (Math.max(rect.top, 0) + Math.min(rect.bottom, innerHeight)) / 2];
      let hit = document.elementFromPoint(x, y);
      while (hit && hit.shadowRoot) {
        const inner = hit.shadowRoot.elementFromPoint(x, y);
        if (!inner || inner === hit) break;
        hit = inner;
      }
      return hit;
    };
    let hit = hitAt();
    if (holds(hit)) return undefined;
    if (isGlance) return { check: 'reachable' };
    // A box that scrolls may hide what is inside the window, and so may a bar that stays.
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    hit = hitAt();
    if (holds(hit)) return undefined;
    if (!hit) return { check: 'reachable', detail: 'it is outside of the window' };
    for (let at = element; at; at = at.assignedSlot || parentOf(at)) if (at.inert) return { check: 'reachable', detail: at === element ? 'it is inert' : 'it is inside ' + describe(at) + ', which is inert' };
    if (getComputedStyle(element).pointerEvents === 'none') return { check: 'reachable', detail: 'it takes no pointer: pointer-events is none' };
    return { check: 'reachable', detail: 'it is covered by ' + describe(hit) };
  }
  return undefined;
  };
  const found = await look();
  const seen = { ...found, fieldType: element.localName === 'input' ? element.type : '' };
  const root = element.getRootNode();
  return found && root instanceof ShadowRoot ? { ...seen, host: describe(root.host) } : seen;
}`;

/** An element that is not ready, in words; undefined where it is. */
export function notReady(answer: unknown): { readonly check: string; readonly words: string } | undefined {
  if (!isObject(answer) || typeof answer['check'] !== 'string') return undefined;
  const { check, detail, host } = answer;
  const inRoot = typeof host === 'string' ? `, in the shadow root of ${host}` : '';
  return { check, words: `not ${check}${typeof detail === 'string' ? `: ${detail}` : ''}${inRoot}` };
}

/** Type of the field that the element is; empty where it is none. */
export function fieldTypeIn(answer: unknown): string {
  return isObject(answer) && typeof answer['fieldType'] === 'string' ? answer['fieldType'] : '';
}
