-- ANCHOR: all
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "rust", "toml" },
  callback = function(event)
    local found = vim.fs.find({ "kgen.toml", "Cargo.toml" }, { upward = true, path = event.file })
    vim.lsp.start({
      name = "kgen",
      cmd = { vim.env.KGEN or "kgen", "lsp" },
      root_dir = vim.fs.dirname(found[1]),
    })
  end,
})
-- ANCHOR_END: all
