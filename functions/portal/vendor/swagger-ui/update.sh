#!/bin/sh
# Fetches the files of this directory again, or those of another version:
#
#     functions/portal/vendor/swagger-ui/update.sh 5.35.0
#
# They are kept compressed, as they are sent, and without the comments that name source maps, which are not
# kept. Change VERSION in functions/portal/src/docs.rs too: it is part of the addresses.
set -eu
version=${1:?which version of swagger-ui-dist?}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent "swagger-ui-dist@$version" >/dev/null
tar -xzf swagger-ui-dist-*.tgz
cp package/LICENSE package/NOTICE package/swagger-ui-bundle.js.LICENSE.txt "$here/"
for file in swagger-ui-bundle.js swagger-ui.css; do
    grep -v -e '^//# sourceMappingURL' -e '^/\*# sourceMappingURL' "package/$file" | gzip -9n >"$here/$file.gz"
done
