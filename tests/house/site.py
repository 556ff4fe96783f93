"""The site that scripts/site.sh makes of the documentation: every link leads to a file of the site, and to a place that is there.

Skipped where there is no pandoc. Says how often links lead where, so that a test of nothing does not pass.
"""
import html.parser
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.places, self.title = [], set(), ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                self.links.append(value)
            elif name == "id":
                self.places.add(value)


def main(source):
    if not shutil.which("pandoc"):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as work:
        site = pathlib.Path(work, "site")
        subprocess.run([os.path.join(source, "scripts/site.sh"), str(site)], check=True, stdout=subprocess.DEVNULL)
        pages = {p.resolve(): Page(p.read_text()) for p in site.rglob("*.html")}
        bad, inside, outside, placed = [], 0, 0, 0
        for path, page in pages.items():
            for link in page.links:
                parts = urllib.parse.urlsplit(link)
                if parts.scheme:
                    outside += 1
                    continue
                to = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
                inside += 1
                if not to.is_file() or site.resolve() not in to.parents:
                    bad.append(f"{path.relative_to(site.resolve())}: {link} leads to no file of the site")
                elif parts.fragment:
                    placed += 1
                    if to in pages and urllib.parse.unquote(parts.fragment) not in pages[to].places:
                        bad.append(f"{path.relative_to(site.resolve())}: {link} leads to no place of that page")
    texts = [str(p) for p in pathlib.Path(source, "docs").glob("*.md")]
    print(f"{len(pages)} pages, {inside} links inside, {placed} of them to a place, {outside} to other sites")
    if bad:
        sys.exit("\n".join(bad))
    if len(pages) <= len(texts) or placed < 20:
        sys.exit("the site lacks pages or links")


main(sys.argv[1])
