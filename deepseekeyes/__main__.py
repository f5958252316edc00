"""`python -m deepseekeyes` is the console script."""

from deepseekeyes.cli.main import main

main()
