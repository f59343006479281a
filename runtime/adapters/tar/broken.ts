/** Fault of an archive, in words for those who look into it; users see the failure that it becomes. */
export class Broken extends Error {}
