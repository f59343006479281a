import { isObject, type Json } from '#schemas/types/json.ts';

import { askPage } from './page-scripts.ts';
import type { PageScripts } from './page-scripts.ts';

interface Scope {
  readonly signal: AbortSignal;
}

/** Contents of the stores of a page's site. */
export interface SavedPage {
  readonly stores: Json;
}

/**
 * Remembers the stores of the page's site; what is typed and chosen stays with the document. Must be asked at the top
 * of the page.
 */
export async function savePage(page: PageScripts, scope: Scope): Promise<SavedPage> {
  return { stores: plain(await askPage(page, scope, `${reading}\n${marking}\nreturn read();`)) };
}

/**
 * Brings the fields of the document back to what was typed and chosen when it was saved. False where it is another
 * document, even at the same address.
 */
export async function restoreFields(page: PageScripts, scope: Scope): Promise<boolean> {
  return (await askPage(page, scope, unmarking)) === true;
}

/** Brings the stores of the page's site back. True where that changed something that the page may have read already. */
export async function restoreStores(page: PageScripts, scope: Scope, { stores }: SavedPage): Promise<boolean> {
  return (await askPage(page, scope, `${reading}\n${writing}`, [stores])) === true;
}

function plain(answer: unknown): Json {
  return isObject(answer) ? answer : null;
}

/** `read()`: both stores of text, and databases whose values JSON can hold; null where the page has no stores. */
const reading = `
const entries = (area) => Array.from(area, (_, index) => area.key(index)).sort().map((key) => [key, area.getItem(key)]);
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('held open'));
  });
const isPlain = (value) =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every(isPlain)) ||
  (Object.prototype.toString.call(value) === '[object Object]' && Object.values(value).every(isPlain));
const readDatabase = async ({ name, version }) => {
  const database = await done(indexedDB.open(name));
  const stores = [];
  for (const store of Array.from(database.objectStoreNames)) {
    const shelf = database.transaction(store).objectStore(store);
    const [keys, values] = await Promise.all([done(shelf.getAllKeys()), done(shelf.getAll())]);
    const indexes = Array.from(shelf.indexNames, (index) => {
      const { keyPath, unique, multiEntry } = shelf.index(index);
      return [index, keyPath, { unique, multiEntry }];
    });
    if (!isPlain(keys) || !isPlain(values)) { database.close(); return { name, version, isOther: true }; }
    stores.push({ store, keyPath: shelf.keyPath, autoIncrement: shelf.autoIncrement, indexes, keys, values });
  }
  database.close();
  return { name, version, stores };
};
const read = async () => {
  if (window !== top) return null;
  try { localStorage.length; } catch { return null; }
  const databases = [];
  for (const one of indexedDB.databases ? await indexedDB.databases() : []) databases.push(await readDatabase(one));
  databases.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { local: entries(localStorage), session: entries(sessionStorage), databases };
};`;

/** A database that is not as it was is made anew; one whose values JSON cannot hold is left alone. */
const writing = `
const [wanted] = arguments;
if (!wanted) return false;
const now = await read();
if (!now || JSON.stringify(now) === JSON.stringify(wanted)) return false;
for (const [area, list] of [[localStorage, wanted.local], [sessionStorage, wanted.session]]) {
  area.clear();
  for (const [key, value] of list) area.setItem(key, value);
}
const makeDatabase = async ({ name, version, stores }) => {
  const opening = indexedDB.open(name, version);
  opening.onupgradeneeded = () => {
    for (const { store, keyPath, autoIncrement, indexes } of stores) {
      const shelf = opening.result.createObjectStore(store, { keyPath, autoIncrement });
      for (const [index, path, options] of indexes) shelf.createIndex(index, path, options);
    }
  };
  const database = await done(opening);
  for (const { store, keyPath, keys, values } of stores) {
    const work = database.transaction(store, 'readwrite');
    values.forEach((value, index) => (keyPath === null ? work.objectStore(store).put(value, keys[index]) : work.objectStore(store).put(value)));
    await new Promise((resolve, reject) => { work.oncomplete = resolve; work.onerror = () => reject(work.error); });
  }
  database.close();
};
for (const one of now.databases) {
  const before = wanted.databases.find(({ name }) => name === one.name);
  if (JSON.stringify(before) === JSON.stringify(one) || (before && before.isOther)) continue;
  await done(indexedDB.deleteDatabase(one.name)).catch(() => undefined);
}
const left = indexedDB.databases ? (await indexedDB.databases()).map(({ name }) => name) : [];
for (const one of wanted.databases) if (!one.isOther && !left.includes(one.name)) await makeDatabase(one);
return true;`;

/** The document keeps its own fields: elements cannot leave it. */
const marking = `
const fields = Array.from(document.querySelectorAll('input, textarea, select, [contenteditable]'), (field) => ({
  field,
  value: field.type === 'file' ? undefined : field.localName === 'select' ? Array.from(field.options, (option) => option.selected) : 'value' in field ? field.value : field.innerHTML,
  checked: field.checked,
}));
Object.defineProperty(window, Symbol.for('svc.saved'), { value: fields, configurable: true });`;

const unmarking = `
const fields = window[Symbol.for('svc.saved')];
if (!fields) return false;
const tell = (field) => { for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true })); };
for (const { field, value, checked } of fields) {
  if (!field.isConnected) continue;
  if (field.type === 'file') { if (field.files.length > 0) { field.value = ''; tell(field); } continue; }
  if (field.localName === 'select') {
    const now = Array.from(field.options, (option) => option.selected);
    if (JSON.stringify(now) === JSON.stringify(value)) continue;
    Array.from(field.options, (option, index) => { option.selected = value[index] === true; });
  } else if ('value' in field) {
    if (field.value === value && field.checked === checked) continue;
    const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    if (own && own.set && field.value !== value) own.set.call(field, value);
    if (field.checked !== checked) field.checked = checked;
  } else {
    if (field.innerHTML === value) continue;
    field.innerHTML = value;
  }
  tell(field);
}
return true;`;
