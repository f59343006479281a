import type { FileMetaData } from 'hyparquet';

/** The name that an object of this language takes for more than a key: the library's rows would lose it. */
const OWN = '__proto__';
/** No program writes such a name. */
const STAND_IN = '\u0000__proto__';

/** The name under which the library knows a column. */
export function standIn(name: string): string {
  return name === OWN ? STAND_IN : name;
}

/** The name that a column has in the file. */
export function ownName(name: string): string {
  return name === STAND_IN ? OWN : name;
}

/** The same file with such columns under another name, at every depth. */
export function withStandIns(metadata: FileMetaData): FileMetaData {
  if (!metadata.schema.some(({ name }) => name === OWN)) return metadata;
  return {
    ...metadata,
    schema: metadata.schema.map((element) => ({ ...element, name: standIn(element.name) })),
    row_groups: metadata.row_groups.map((group) => ({
      ...group,
      columns: group.columns.map((column) =>
        column.meta_data
          ? {
              ...column,
              meta_data: { ...column.meta_data, path_in_schema: column.meta_data.path_in_schema.map(standIn) },
            }
          : column,
      ),
    })),
  };
}
