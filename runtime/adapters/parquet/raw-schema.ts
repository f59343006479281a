import type { FileMetaData, SchemaElement, SchemaTree } from 'hyparquet';

/**
 * The same file with what its values mean taken off, so that they come as they stand in it: the library would make
 * doubles of decimals and lose what stands behind the millisecond. Lists are marked in the way that it knows, and maps
 * as lists of pairs.
 */
export function rawMetadata(metadata: FileMetaData, tree: SchemaTree): FileMetaData {
  const schema: SchemaElement[] = [];
  visit(tree, false, schema);
  return { ...metadata, schema };
}

function visit(node: SchemaTree, inVariant: boolean, out: SchemaElement[]): void {
  const { element, children } = node;
  const { converted_type: _converted, logical_type: logical, ...plain } = element;
  const isVariant = inVariant || logical?.type === 'VARIANT';
  if (isVariant) out.push(element);
  else out.push(isList(element) ? { ...plain, converted_type: 'LIST' } : plain);
  for (const child of children) visit(child, isVariant, out);
}

export function isList({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return converted === 'LIST' || logical?.type === 'LIST';
}

export function isMap({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return converted === 'MAP' || converted === 'MAP_KEY_VALUE' || logical?.type === 'MAP';
}
