/** Variable names that belong to the language (`compiler/language/references.md`). */
export const RESERVED: readonly string[] = ['run', 'steps', 'result', 'last_response'];
