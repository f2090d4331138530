import { messages } from '@/strings/messages';

export const t = messages({
  title: 'Somebody else changed this text',
  about:
    'Both of you changed the same lines. Below, they stand one after the other: theirs, then yours. What you save becomes the text.',
  theirs: 'Saved by somebody else',
  mine: 'Yours',
  takeTheirs: 'Start from this',
  takeMine: 'Start from yours',
  result: 'What is saved',
  keepTheirs: 'Keep theirs',
  save: 'Save',
});
