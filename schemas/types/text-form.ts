/**
 * Kind of a text that leaves the process. `people`: read by people, and by terminals and build servers, which
 * must obey nothing in it. `lines`: read by programs line by line; workflow commands in it are ours. `json`:
 * one or more values of JSON. `file`: the content of a file, which goes out as it is unless a terminal would
 * show it.
 */
export type TextForm = 'people' | 'lines' | 'json' | 'file';
