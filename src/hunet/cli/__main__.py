"""`python -m hunet.cli`: the same as the command `hunet`."""

from hunet.cli.main import main

main()
