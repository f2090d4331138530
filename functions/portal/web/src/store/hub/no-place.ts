/** Whether a stream was refused because the service does not take the place to go on from. */
export function isNoPlace(status: number): boolean {
  return status === 400 || status === 422;
}
