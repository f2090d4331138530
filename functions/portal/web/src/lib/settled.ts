import { useEffect, useState } from 'react';

/** A value once it has not changed for so many milliseconds; the first at once. */
export function useSettled<T>(value: T, after: number): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), after);
    return () => clearTimeout(timer);
  }, [value, after]);
  return settled;
}
