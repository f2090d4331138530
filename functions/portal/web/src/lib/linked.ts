/** The id of the part of a page that the address names: `#section-plan`. Other alphabets come encoded. */
export function linkedId(): string {
  const id = location.hash.slice(1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
