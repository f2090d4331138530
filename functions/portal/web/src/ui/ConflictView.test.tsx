import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import ConflictDialog from './ConflictView';
// It is loaded when it is first drawn.
import './popups/DialogPopup';

it('begins with what both wrote: saving drops neither', async () => {
  const save = vi.fn();
  const conflict = { base: 'Greet people.', mine: 'Greet people kindly.', theirs: 'Greet all people.', save };
  render(<ConflictDialog conflict={conflict} onClose={() => {}} />);
  (await screen.findByText('Save', {}, { timeout: 10_000 })).click();
  expect(save).toHaveBeenCalledWith('Greet all people.\nGreet people kindly.');
}, 15_000);
