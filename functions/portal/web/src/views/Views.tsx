import { Bookmark } from 'lucide-react';
import { Suspense } from 'react';
import { t } from '@/app/strings';
import { lazyPart } from '@/lib/parts';
import { Button } from '@/ui/Button';
import type { ViewsMenuProps } from './ViewsMenu';

const ViewsMenu = lazyPart(() => import('./ViewsMenu'));

/** The views of a project, loaded after its items; until then a button stands in their place. */
export function Views(props: ViewsMenuProps) {
  const waiting = (
    <Button kind="ghost" size="small" icon={Bookmark} busy>
      {t('views')}
    </Button>
  );
  return (
    <Suspense fallback={waiting}>
      <ViewsMenu {...props} />
    </Suspense>
  );
}
