-- scripts/site/pages.lua - makes all pages of the site in one run of pandoc, whose input is the list of them, a line each.
-- Prints the files that pages show or link to and that are no pages. OUT is the folder of the site.
local out = os.getenv("OUT")

local function read(path)
  local file = assert(io.open(path))
  local text = file:read("a")
  file:close()
  return text
end
local template = read("scripts/site/template.html")

local function html_file(path) return (path:gsub("README%.md$", "index.html"):gsub("%.md$", ".html")) end
local function folder(path) return path:match("^(.*/)[^/]*$") or "" end
local function plain(text) return (text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub('"', "&quot;")) end

-- Returns a path, seen from a folder, without `..`.
local function resolve(from, target)
  local parts = {}
  for part in (from .. target):gmatch("[^/]+") do
    if part == ".." then table.remove(parts) elseif part ~= "." then table.insert(parts, part) end
  end
  return table.concat(parts, "/")
end

local function title_of(doc, path)
  for _, block in ipairs(doc.blocks) do
    if block.t == "Header" and block.level == 1 then return pandoc.utils.stringify(block) end
  end
  error(path .. " has no heading of the first level")
end

local function navigation(pages, here)
  local items, root = {}, here.root
  for _, page in ipairs(pages) do
    table.insert(items, ('<li><a href="%s%s"%s>%s</a></li>'):format(root, html_file(page.path),
      page == here and ' aria-current="page"' or "", plain(page.title)))
  end
  return "<ul>\n" .. table.concat(items, "\n") .. "\n</ul>"
end

local function contents(doc)
  local items = {}
  for _, block in ipairs(doc.blocks) do
    if block.t == "Header" and block.level == 2 then
      table.insert(items, ('<li><a href="#%s">%s</a></li>'):format(block.identifier, plain(pandoc.utils.stringify(block))))
    end
  end
  if #items < 3 then return "" end
  return '<details class="toc"><summary>On this page</summary>\n<ul>\n' .. table.concat(items, "\n") .. "\n</ul>\n</details>"
end

function Pandoc(list)
  local pages, is_page, copied = {}, {}, {}
  for path in pandoc.utils.stringify(list):gmatch("%S+") do
    local doc = pandoc.read(read(path), "gfm")
    table.insert(pages, { path = path, doc = doc, title = title_of(doc, path), root = folder(path):gsub("[^/]+", "..") })
    is_page[path] = true
  end
  for _, page in ipairs(pages) do
    local function lead(target)
      local path, place = target:match("^([^#]*)(.*)$")
      if target:match("^%a[%w+.-]*:") or path == "" then return target end
      local file = resolve(folder(page.path), path)
      if is_page[file] then return html_file(path) .. place end
      if not copied[file] then print(file) end
      copied[file] = true
      return target
    end
    local doc = page.doc:walk({
      Link = function(link) link.target = lead(link.target) return link end,
      Image = function(image) image.src = lead(image.src) return image end,
    })
    local parts = { title = plain(page.title), root = page.root, navigation = navigation(pages, page), contents = contents(doc),
      body = pandoc.write(doc, "html5") }
    local file = assert(io.open(out .. "/" .. html_file(page.path), "w"))
    file:write((template:gsub("%$(%a+)%$", parts)))
    file:close()
  end
  return pandoc.Pandoc({})
end
