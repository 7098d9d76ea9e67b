;; ANCHOR: all
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '(toml-ts-mode . ("kgen" "lsp")))
  (add-to-list 'eglot-server-programs
               '((rust-mode rust-ts-mode) . ("kgen" "lsp"))))
;; ANCHOR_END: all
