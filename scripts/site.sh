#!/bin/sh
# site.sh FOLDER: makes a static site of README.md and all other Markdown files, by pandoc, into a folder that is not there yet.
# The order of its navigation is that of the table in README.md; files that pages link to and that are no Markdown are copied.
set -eu
OUT=${1:?"give the folder that the site is to be written into"}
[ ! -e "$OUT" ] || { echo "there is already a file or folder $OUT" >&2; exit 1; }
command -v pandoc >/dev/null || { echo "install pandoc" >&2; exit 1; }
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
export OUT
cd "$(dirname "$0")/.."
cp scripts/site/site.css "$OUT/site.css"

# README.md leads to most pages; the others come behind them.
pages="README.md $(sed -n 's/^| \[[^]]*\](\([^)]*\.md\)) .*/\1/p' README.md | tr '\n' ' ')"
for page in docs/*.md examples/*/README.md CONTRIBUTING.md CHANGELOG.md tests/*/README.md tests/*/*/README.md; do
    case " $pages" in *" $page "*) ;; *) pages="$pages$page " ;; esac
done
for page in $pages; do mkdir -p "$OUT/$(dirname "$page")"; done
files=$(printf '`%s`\n' $pages | pandoc --from markdown --to plain --lua-filter scripts/site/pages.lua)
for file in $files; do
    mkdir -p "$OUT/$(dirname "$file")"
    cp "$file" "$OUT/$file"
done
echo "the site begins at $OUT/index.html"
