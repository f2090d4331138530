import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Prose } from './Prose';

it('gives images the width that is written after what they show', () => {
  const image = (alt: string) => `<img src="/x.png" alt="${alt}">`;
  render(<Prose html={`<p>${image('a screen|320')}${image('a | b')}${image('|480')}</p>`} />);
  const [sized, plain] = [screen.getByAltText('a screen'), screen.getByAltText('a | b')];
  expect((sized as HTMLImageElement).width).toBe(320);
  expect(plain.hasAttribute('width')).toBe(false);
});
