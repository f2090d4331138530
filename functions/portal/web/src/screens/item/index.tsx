import { useParams } from '@tanstack/react-router';
import { ItemView } from './ItemView';

/** An item on a page of its own. */
export default function ItemScreen() {
  const { slug, project, item } = useParams({ from: '/inside/o/$slug/p/$project/items/$item' });
  return <ItemView key={`${slug}/${item}`} slug={slug} project={project} item={item.toUpperCase()} />;
}
