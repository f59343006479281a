import type { Provider } from '#runtime/kernel/ports.ts';

import { isHeader } from './header.ts';
import { readMembers } from './read-members.ts';
import { writeMembers } from './write-members.ts';

export const provider: Provider<'tar'> = {
  open: () => ({ read: readMembers, write: writeMembers, isHeader }),
};
