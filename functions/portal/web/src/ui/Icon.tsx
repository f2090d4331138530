import type { LucideIcon } from 'lucide-react';

/** A Lucide icon at the size and weight of this app. It is decoration: a name stands beside it or on its button. */
export function Icon({
  of: Lucide,
  size = 16,
  className,
}: {
  of: LucideIcon;
  size?: number;
  className?: string | undefined;
}) {
  return (
    <Lucide
      size={size}
      strokeWidth={1.5}
      absoluteStrokeWidth
      aria-hidden
      className={className}
      focusable={false}
    />
  );
}
