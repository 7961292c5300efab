/** The time of an entry, in local time. Exports have UTC. */

/** With milliseconds, to distinguish messages of the same second. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits);
  return `${parts.join(':')}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** {@link timeOfDay} after the date, in an unambiguous order. */
export function dayAndTime(at: number): string {
  const date = new Date(at);
  const parts = [date.getMonth() + 1, date.getDate()].map(twoDigits);
  return `${date.getFullYear()}-${parts.join('-')} ${timeOfDay(at)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
