import { provider } from '#runtime/adapters/xml/provider.ts';

/** Reader of XML with which contracts are judged. */
export const { read: readXml } = await provider.open(undefined as never);

/** Whether a pattern takes a whole text. */
export const fits = (pattern: string, text: string): boolean => new RegExp(`^(?:${pattern})$`, 's').test(text);
