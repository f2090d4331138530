export { Missing as default } from '@/app/States';
