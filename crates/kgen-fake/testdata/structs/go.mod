module kgen.local/structs

go 1.26
