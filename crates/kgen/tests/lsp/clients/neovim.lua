-- Runs the snippet of the book in headless Neovim. Older versions get the functions that it needs.

local function fail(message)
  io.stderr:write(message .. "\n")
  vim.cmd("cquit 1")
end

vim.fs = vim.fs or {
  find = function() return { vim.env.KGEN_PROJECT .. "/kgen.toml" } end,
  dirname = function(path) return vim.fn.fnamemodify(path, ":h") end,
}
vim.lsp.start = vim.lsp.start or function(config)
  local id = vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(0, id)
  return id
end

vim.cmd("luafile " .. vim.env.KGEN_SNIPPET)
vim.cmd("edit " .. vim.env.KGEN_FILE)
vim.cmd("set filetype=rust")

local watchdog = 120000
local found = vim.wait(watchdog, function() return #vim.diagnostic.get(0) > 0 end, 20)
if not found then return fail("there is no diagnostic") end
local diagnostic = vim.diagnostic.get(0)[1]
if diagnostic.code ~= "unknown-marker" then return fail("unexpected: " .. vim.inspect(diagnostic)) end

local function request(method, params)
  local answers, problem = vim.lsp.buf_request_sync(0, method, params, watchdog)
  if not answers then return fail(method .. ": " .. tostring(problem)) end
  for _, answer in pairs(answers) do
    if answer.result then return answer.result end
  end
  return fail(method .. " has no result")
end

-- Apply the code action.
vim.api.nvim_win_set_cursor(0, { diagnostic.lnum + 1, diagnostic.col })
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local actions = request("textDocument/codeAction", params)
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
local gone = vim.wait(watchdog, function() return #vim.diagnostic.get(0) == 0 end, 20)
if not gone then return fail("the fix does not help: " .. vim.inspect(vim.diagnostic.get(0))) end

-- Complete a name.
local line = diagnostic.lnum
vim.api.nvim_buf_set_lines(0, line, line + 1, false, { "    // +kubebuilder:validation:Min" })
vim.api.nvim_win_set_cursor(0, { line + 1, 34 })
local completed = request("textDocument/completion", vim.lsp.util.make_position_params())
local names = {}
for _, item in ipairs(completed.items) do names[item.label] = true end
if not names["kubebuilder:validation:Minimum"] then return fail("`Minimum` is not offered") end
if names["kubebuilder:validation:MinLength"] then return fail("`MinLength` is offered for an integer") end

io.stdout:write("kgen: all steps are done\n")
vim.cmd("qall!")
