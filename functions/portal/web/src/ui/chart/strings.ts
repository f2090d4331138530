import { messages } from '@/strings/messages';

export const t = messages({ csv: 'CSV', table: 'The same as a table' });
