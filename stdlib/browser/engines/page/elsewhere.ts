import { isList } from '#schemas/types/json.ts';

/** A function of the element of a frame; it yields a selector that finds this frame alone in its document. */
export const frameSelector = String.raw`(frame) => {
  const alone = (selector) => (frame.ownerDocument.querySelectorAll(selector).length === 1 ? selector : '');
  const by = (name) => { const value = frame.getAttribute(name); return value ? alone(frame.localName + '[' + name + '=' + (/^[a-z_][\w-]*$/i.test(value) ? value : JSON.stringify(value)) + ']') : ''; };
  const id = frame.id ? alone('#' + CSS.escape(frame.id)) : '';
  return id || by('name') || by('title') || by('src') || alone(frame.localName);
}`;

/**
 * A function of `css` or `xpath` and of a value that found nothing in this document; it yields selectors of the frames
 * from the top in which there is a match, as far as scripts may look into them.
 */
export const elsewhere = String.raw`(using, value) => {
  const find = (root) => { try { return using === 'xpath' ? root.evaluate(value, root, null, 9, null).singleNodeValue : root.querySelector(value); } catch { return null; } };
  const walk = (root, chain) => {
    if (root !== document && find(root)) return chain;
    for (const frame of root.querySelectorAll('iframe, frame')) {
      const inner = frame.contentDocument;
      const found = inner && walk(inner, [...chain, (${frameSelector})(frame)]);
      if (found) return found;
    }
    return null;
  };
  try { return walk(window.top.document, []); } catch { return null; }
}`;

/** Words for an element that is in another frame, where frames were looked into. `go` says how to get there. */
export function elsewhereHelp(answer: unknown, go: (chain: readonly string[]) => string): { readonly help?: string } {
  if (!isList(answer)) return {};
  const chain = answer.map(String);
  if (chain.length === 0) return { help: `It is at the top of the page: ${go(chain)}.` };
  if (chain.includes('')) return { help: 'It is in another frame of the page: go into that before this step.' };
  return { help: `It is in the frame ${chain.map((each) => `"${each}"`).join(' > ')}: ${go(chain)}.` };
}
