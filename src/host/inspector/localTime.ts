/** When something was seen, in the time of the place. Exports have UTC. */

/** With the thousandths that tell messages of one moment apart. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits);
  return `${parts.join(':')}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** {@link timeOfDay} behind its day, so that nobody has to know the order of day and month. */
export function dayAndTime(at: number): string {
  const date = new Date(at);
  const parts = [date.getMonth() + 1, date.getDate()].map(twoDigits);
  return `${date.getFullYear()}-${parts.join('-')} ${timeOfDay(at)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
