import { messages } from '@/strings/messages';

export const t = messages({
  deleteItem: 'Delete item…',
  deleteTitle: 'Delete {key}?',
  deleteDetail:
    'It can be brought back for 30 days, with its comments, files and history. After that they are deleted for good.',
  delete: 'Delete',
  deleteLiveRun: 'A run works on it. Cancel the run first.',
  deleteClaimed: '{name} works on it.',
  itemDeleted: '{key} deleted',
  itemRestored: '{key} is back',
  bringBack: 'Bring it back',
  bringItemBack: 'Bring it back: {key}',
});
