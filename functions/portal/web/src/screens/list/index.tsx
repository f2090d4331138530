import { useNavigate } from '@tanstack/react-router';
import { Page } from '@/app/Page';
import { FrozenBar, ProjectFrame } from '@/app/ProjectFrame';
import { useRouteParams, useSearchParams } from '@/app/params';
import { plain } from '@/lib/text';
import { Skeleton } from '@/ui/Skeleton';
import { Peek } from '../item/Peek';
import { List } from './List';
import { t } from './strings';

/** The items of a project as a table. */
export default function ListScreen() {
  const { slug, project } = useRouteParams('slug', 'project');
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const open = (key: string) =>
    void navigate({ to: '/o/$slug/p/$project/items/$item', params: { slug, project, item: key } });
  const skeleton = (
    <Page title={t('list')} fill>
      <Skeleton label={t('loading')} rows={12} height={28} />
    </Page>
  );
  return (
    <ProjectFrame slug={slug} project={project} skeleton={skeleton}>
      {({ graph, project: about, workflow }) => (
        <>
          <FrozenBar slug={slug} project={about} />
          <List
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
