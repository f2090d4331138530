import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { Page } from '@/app/Page';
import { FrozenBar, ProjectFrame } from '@/app/ProjectFrame';
import { useRouteParams, useSearchParams } from '@/app/params';
import { plain } from '@/lib/text';
import { Skeleton } from '@/ui/Skeleton';
import { Peek } from '../item/Peek';
import { Board } from './Board';
import { t } from './strings';

/** The board: columns are states, cards are items. */
export default function BoardScreen() {
  const { slug, project } = useRouteParams('slug', 'project');
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const open = useCallback(
    (key: string) =>
      void navigate({ to: '/o/$slug/p/$project/items/$item', params: { slug, project, item: key } }),
    [navigate, slug, project],
  );
  const skeleton = (
    <Page title={t('board')} fill>
      <Skeleton label={t('loading')} rows={8} height={72} />
    </Page>
  );
  return (
    <ProjectFrame slug={slug} project={project} skeleton={skeleton}>
      {({ graph, project: about, workflow }) => (
        <>
          <FrozenBar slug={slug} project={about} />
          <Board
            key={`${slug}/${project}`}
            name={plain(about.name)}
            graph={graph}
            workflow={workflow}
            search={search}
            onSearch={setSearch}
            onOpen={open}
          />
          <Peek
            slug={slug}
            project={project}
            item={search.peek}
            onClose={() => setSearch({ peek: undefined })}
            onOpen={open}
          />
        </>
      )}
    </ProjectFrame>
  );
}
