#!/bin/sh
# Creates the secrets that Purser needs, if they do not exist: one file for each variable in deploy/settings/server, and the
# passwords of the databases in deploy/settings/compose. Then writes all files into .env, from which compose.yaml reads them.
set -eu
umask 077
cd "$(dirname "$0")/.."
header='# Written by deploy/new-settings.sh from the files in deploy/settings. Changes here are lost.'
if [ -e .env ] && [ "$(head -n 1 .env)" != "$header" ]; then
  mv .env .env.old
  echo "The .env that was here is now .env.old." >&2
fi
mkdir -p deploy/settings/server deploy/settings/compose

# new FILE COMMAND...: writes what the command prints into the file, without the last line break.
new() {
  file=deploy/settings/$1
  shift
  [ -s "$file" ] || printf %s "$("$@")" >"$file"
}

new server/PURSER_KEY_ENCRYPTION_KEY openssl rand -base64 32
new server/PURSER_STATEMENT_KEY openssl genpkey -algorithm ed25519
new server/PURSER_ACCESS_TOKEN_KEY openssl genpkey -algorithm ed25519
new server/PURSER_ADMIN_TOKEN_KEY openssl genpkey -algorithm ed25519
new server/PURSER_CAPTCHA_SECRET openssl rand -hex 32
for role in POSTGRES OWNER APP PII; do
  new "compose/${role}_PASSWORD" openssl rand -hex 24
done

printf '%s\n' "$header" >.env
for file in deploy/settings/*/*; do
  # A key has several lines. Compose reads \n in double quotes as a line break.
  printf '%s="%s"\n' "$(basename "$file")" "$(awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }' "$file")"
done >>.env
