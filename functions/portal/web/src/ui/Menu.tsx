import { type ComponentProps, type ReactElement, Suspense, useRef, useState } from 'react';
import { ahead, lazyPart } from '@/lib/parts';
import type { MenuEntries } from './menu-entries';

const MenuPopup = lazyPart(() => import('./popups/MenuPopup'));

type TriggerProps = Pick<ComponentProps<'button'>, 'onClick' | 'onPointerEnter' | 'onKeyDown'> & {
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  ref: React.RefObject<HTMLButtonElement | null>;
};

interface MenuProps {
  /** The button that opens it. */
  trigger: (props: TriggerProps) => ReactElement;
  entries: () => MenuEntries;
  align?: 'start' | 'end';
}

/** A menu whose code is loaded when its button is pointed at or pressed. */
export function Menu({ trigger, entries, align = 'start' }: MenuProps) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const anchor = useRef<HTMLButtonElement | null>(null);
  const prepare = () => ahead(() => import('./popups/MenuPopup'));
  const show = () => {
    setWanted(true);
    setOpen((is) => !is);
  };
  return (
    <>
      {trigger({
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onClick: show,
        onPointerEnter: prepare,
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' || open) return;
          event.preventDefault();
          show();
        },
      })}
      {wanted && (
        <Suspense>
          <MenuPopup open={open} onOpenChange={setOpen} anchor={anchor} entries={entries} align={align} />
        </Suspense>
      )}
    </>
  );
}
