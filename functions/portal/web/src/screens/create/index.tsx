import type { CreatePreset } from '@/app/overlays';

interface CreateProps {
  slug: string;
  project: string;
  preset?: CreatePreset;
  onClose: () => void;
}

export default function Create(_props: CreateProps) {
  return null;
}
