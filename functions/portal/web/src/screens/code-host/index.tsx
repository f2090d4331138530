import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Outside, ToldProblem } from '@/app/Outside';
import { told } from '@/lib/told';
import { t } from './strings';

/** Where the code host sends a browser back that could not be connected; who was connected is back in the settings. */
export default function CodeHost() {
  const [why] = useState(told);
  return (
    <Outside title={t('title')} lead={t('lead')}>
      <ToldProblem told={why} otherwise={t('otherwise')} />
      <Link to="/" className="link">
        {t('home')}
      </Link>
    </Outside>
  );
}
