import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleSlash } from 'lucide-react';
import type { Rule, RuleFiring } from '@/api/types';
import { useSearchParams } from '@/app/params';
import { firingsQuery } from '@/data/rules';
import { plain, withoutIds } from '@/lib/text';
import { Button } from '@/ui/Button';
import { DateTime } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Awaited } from '../factory/Awaited';
import { Pager } from '../factory/Pager';
import { t } from './strings';

/** What rules did, newest first: the run that was started, or why none was. */
export function Firings({ slug, project, rules }: { slug: string; project: string; rules: readonly Rule[] }) {
  const [search, change] = useSearchParams();
  const page = Number(search.page) || 1;
  const rule = rules.find(({ id }) => id === search.rule);
  const query = { ...firingsQuery(slug, project, rule?.id, page), placeholderData: keepPreviousData };
  const found = useQuery(query);
  const title = rule ? t('firingsOf', { name: plain(rule.name) }) : t('firings');
  const all = rule && (
    <Button size="small" onClick={() => change({ rule: '', page: '' })}>
      {t('allFirings')}
    </Button>
  );
  return (
    <Section title={title} actions={all} flush>
      <Awaited
        query={found}
        rows={3}
        height={40}
        none={t('noFirings')}
        isEmpty={({ items }) => items.length === 0}
      >
        {({ items, totalCount, pageSize }) => (
          <>
            <Rows label={title}>
              {items.map((firing) => (
                <FiringRow key={`${firing.rule} ${firing.item} ${firing.at}`} slug={slug} firing={firing} />
              ))}
            </Rows>
            <Pager
              page={page}
              pages={Math.ceil(totalCount / pageSize)}
              text={t('total', { n: totalCount })}
              turn={(to) => change({ page: to > 1 ? String(to) : '' })}
            />
          </>
        )}
      </Awaited>
    </Section>
  );
}

function FiringRow({ slug, firing }: { slug: string; firing: RuleFiring }) {
  const started = firing.run !== null;
  return (
    <Row
      glyph={<Icon of={started ? CircleCheck : CircleSlash} />}
      title={t('entered', { item: firing.item, state: plain(firing.state) })}
      href={
        firing.run
          ? `/o/${slug}/factory/runs/${firing.run}`
          : `/o/${slug}/p/${firing.item.replace(/-\d+$/, '')}/items/${firing.item}`
      }
      tags={<span className="meta">{plain(firing.ruleName)}</span>}
      detail={started ? t('started') : `${t('skipped')}: ${withoutIds(plain(firing.skippedReason ?? ''))}`}
      facts={[<DateTime key="at" at={firing.at} />]}
    />
  );
}
