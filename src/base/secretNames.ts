/** Which names of variables, headers and parameters say that their values are secrets. */

/** Words in the name of a variable, header or URL parameter whose value nobody else should read. */
const secretName =
  /token(?!s)|secret|passw|passphrase|pwd|credential|authorization|cookie|(?:^|[^a-z])(?:auth|key|pat|sig|signature)(?:$|[^a-z])|api-?key|private-?key|access-?key/iu;

/** Variables whose values are all over every log; none of them is a secret. */
const ordinaryNames =
  /^(?:HOME|USER|USERNAME|USERPROFILE|LOGNAME|PATH|PWD|SHELL|LANG|LC_.*|TMP|TEMP|TMPDIR|APPDATA|LOCALAPPDATA|PROGRAMFILES.*|SYSTEMROOT|COMPUTERNAME|HOSTNAME|XDG_.*)$/iu;

/** Whether a variable has a value that is all over every log, and is no secret. */
export function isOrdinaryName(name: string): boolean {
  return ordinaryNames.test(name);
}

export function looksSecret(name: string): boolean {
  return !isOrdinaryName(name) && secretName.test(name);
}
